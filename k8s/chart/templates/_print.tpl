{{/* An object in the namespace of the release, with Helm's labels. */}}
{{- define "switchyard.print" -}}
{{- $metadata := .object.metadata -}}
{{- $chart := printf "%s-%s" .root.Chart.Name .root.Chart.Version -}}
{{- $labels := dict "app.kubernetes.io/managed-by" .root.Release.Service "helm.sh/chart" $chart -}}
{{- if ne .object.kind "Namespace" -}}
  {{- $_ := set $metadata "namespace" ($metadata.namespace | default .root.Release.Namespace) -}}
{{- end -}}
{{- $_ := set $metadata "labels" (merge $labels ($metadata.labels | default dict)) }}
---
{{ toYaml .object }}
{{- end -}}
