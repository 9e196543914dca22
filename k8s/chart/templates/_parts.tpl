{{/*
The names of the parts that the values choose, in the order of the overlays: a part changes what comes before it. Those with
@runs are in the namespace of run pods.
*/}}
{{- define "switchyard.parts" -}}
{{- $values := .Values -}}
{{- $parts := list "base/orchestration" -}}
{{- if $values.metrics.enabled -}}{{- $parts = append $parts "base/metrics" -}}{{- end -}}
{{- if $values.runner.enabled -}}{{- $parts = append $parts "components/runner" -}}{{- end -}}
{{- if $values.runPods.enabled -}}
  {{- $parts = append $parts "components/run-pods" -}}
  {{- $parts = append $parts "base/run-pods@runs" -}}
  {{- if $values.runPods.agentVolume -}}{{- $parts = append $parts "components/run-pods/agent-volume@runs" -}}{{- end -}}
{{- end -}}
{{- if $values.backup.enabled -}}
  {{- $parts = append $parts "components/backup" -}}
  {{- $parts = append $parts (ternary "components/backup/bucket" "components/backup/volume" (hasPrefix "s3://" $values.backup.target)) -}}
{{- end -}}
{{- if $values.datastores.enabled -}}{{- $parts = append $parts "components/datastores" -}}{{- end -}}
{{- if ne $values.autoscaling "none" -}}{{- $parts = append $parts "components/hpa" -}}{{- end -}}
{{- if $values.networkPolicies.enabled -}}
  {{- $parts = append $parts "components/network-policies" -}}
  {{- if ne $values.networkPolicies.dns "kube-dns" -}}
    {{- $parts = append $parts (printf "components/network-policies/dns-%s" $values.networkPolicies.dns) -}}
  {{- end -}}
  {{- $usesBucket := or (not $values.datastores.enabled) (and $values.backup.enabled (hasPrefix "s3://" $values.backup.target)) -}}
  {{- if and $values.networkPolicies.bucket $usesBucket -}}{{- $parts = append $parts "components/network-policies/bucket" -}}{{- end -}}
  {{- if $values.networkPolicies.otlp -}}{{- $parts = append $parts "components/network-policies/otlp" -}}{{- end -}}
  {{- with $values.networkPolicies.identity -}}
    {{- $parts = append $parts (printf "components/network-policies/identity-%s" .) -}}
  {{- end -}}
{{- end -}}
{{- if ne $values.ingress "none" -}}{{- $parts = append $parts (printf "components/%s" $values.ingress) -}}{{- end -}}
{{- if $values.prometheus.enabled -}}{{- $parts = append $parts "components/prometheus" -}}{{- end -}}
{{- if eq $values.autoscaling "keda" -}}{{- $parts = append $parts "components/keda" -}}{{- end -}}
{{- if $values.runner.userNamespaces -}}{{- $parts = append $parts "components/user-namespaces" -}}{{- end -}}
{{- join "," $parts -}}
{{- end -}}

{{/* A file of a part, with the namespaces of the release and of run pods in place of those that the files name. */}}
{{- define "switchyard.read" -}}
{{- $own := .root.Release.Namespace -}}
{{- $runs := .root.Values.runPods.namespace -}}
{{- $is := "kubernetes.io/metadata.name: " -}}
{{- .text
  | replace (printf "%sswitchyard-runs\n" $is) (printf "%s%s\n" $is $runs)
  | replace (printf "%sswitchyard\n" $is) (printf "%s%s\n" $is $own)
  | replace "RUN_POD_NAMESPACE=switchyard-runs" (printf "RUN_POD_NAMESPACE=%s" $runs)
  | replace "switchyard-worker.switchyard:" (printf "switchyard-worker.%s:" $own)
  | replace "switchyard-api.switchyard:" (printf "switchyard-api.%s:" $own) -}}
{{- end -}}
