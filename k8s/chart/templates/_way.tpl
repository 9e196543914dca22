{{/* A NetworkPolicy that lets the components .from reach .to at .port. */}}
{{- define "switchyard.way" -}}
{{- $selector := dict "matchExpressions" (list (dict "key" "app.kubernetes.io/component" "operator" "In" "values" .from)) -}}
{{- $egress := list (dict "to" .to "ports" (list (dict "port" .port))) -}}
{{- $specification := dict "podSelector" $selector "policyTypes" (list "Egress") "egress" $egress -}}
{{- $metadata := dict "name" (printf "switchyard-%s" .name) -}}
{{- $policy := dict "apiVersion" "networking.k8s.io/v1" "kind" "NetworkPolicy" "metadata" $metadata "spec" $specification -}}
{{ include "switchyard.print" (dict "object" $policy "root" .root) }}
{{- end -}}
