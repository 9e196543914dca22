{{/* The names of the parts that the values choose, in the order of the overlays: a part changes what comes before it. */}}
{{- define "switchyard.parts" -}}
{{- $values := .Values -}}
{{- $parts := list "orchestration" -}}
{{- if $values.metrics.enabled -}}{{- $parts = append $parts "metrics" -}}{{- end -}}
{{- if $values.runner.enabled -}}{{- $parts = append $parts "runner" -}}{{- end -}}
{{- if $values.runPods.enabled -}}
  {{- $parts = append $parts "run-pods" -}}
  {{- if $values.runPods.agentVolume -}}{{- $parts = append $parts "run-pods.agent-volume" -}}{{- end -}}
{{- end -}}
{{- if $values.backup.enabled -}}
  {{- $parts = append $parts "backup" -}}
  {{- $parts = append $parts (ternary "backup.bucket" "backup.volume" (hasPrefix "s3://" $values.backup.target)) -}}
{{- end -}}
{{- if $values.datastores.enabled -}}{{- $parts = append $parts "datastores" -}}{{- end -}}
{{- if ne $values.autoscaling "none" -}}{{- $parts = append $parts "hpa" -}}{{- end -}}
{{- if $values.networkPolicies.enabled -}}
  {{- $parts = append $parts "network-policies" -}}
  {{- if ne $values.networkPolicies.dns "kube-dns" -}}
    {{- $parts = append $parts (printf "network-policies.dns-%s" $values.networkPolicies.dns) -}}
  {{- end -}}
  {{- $usesBucket := or (not $values.datastores.enabled) (and $values.backup.enabled (hasPrefix "s3://" $values.backup.target)) -}}
  {{- if and $values.networkPolicies.bucket $usesBucket -}}{{- $parts = append $parts "network-policies.bucket" -}}{{- end -}}
  {{- if $values.networkPolicies.otlp -}}{{- $parts = append $parts "network-policies.otlp" -}}{{- end -}}
  {{- with $values.networkPolicies.identity -}}
    {{- $parts = append $parts (printf "network-policies.identity-%s" .) -}}
  {{- end -}}
{{- end -}}
{{- if ne $values.ingress "none" -}}{{- $parts = append $parts $values.ingress -}}{{- end -}}
{{- if $values.prometheus.enabled -}}{{- $parts = append $parts "prometheus" -}}{{- end -}}
{{- if eq $values.autoscaling "keda" -}}{{- $parts = append $parts "keda" -}}{{- end -}}
{{- if $values.runner.userNamespaces -}}{{- $parts = append $parts "user-namespaces" -}}{{- end -}}
{{- join "," $parts -}}
{{- end -}}

