{{/*
Changes .object as .operations (JSON Patch: add, replace and remove) say. The kustomization's patches are of this form, and
so are those of the values.
*/}}
{{- define "switchyard.patch" -}}
{{- $object := .object -}}
{{- $name := printf "%s %s" $object.kind $object.metadata.name -}}
{{- range $operation := .operations -}}
  {{- $keys := splitList "/" (trimPrefix "/" $operation.path) -}}
  {{- $last := last $keys | replace "~1" "/" | replace "~0" "~" -}}
  {{- $at := $object -}}
  {{- $above := dict -}}
  {{- $aboveKey := "" -}}
  {{- range $key := initial $keys -}}
    {{- $key = $key | replace "~1" "/" | replace "~0" "~" -}}
    {{- if kindIs "slice" $at -}}
      {{- $at = index $at (int $key) -}}
    {{- else -}}
      {{- if not (hasKey $at $key) -}}
        {{- fail (printf "a patch cannot be applied to %s: it has no %s" $name $operation.path) -}}
      {{- end -}}
      {{- $above = $at -}}
      {{- $aboveKey = $key -}}
      {{- $at = get $at $key -}}
    {{- end -}}
  {{- end -}}
  {{- if kindIs "slice" $at -}}
    {{- $changed := list -}}
    {{- if eq $last "-" -}}
      {{- $changed = append $at $operation.value -}}
    {{- else -}}
      {{- range $index, $entry := $at -}}
        {{- if ne $index (int $last) -}}
          {{- $changed = append $changed $entry -}}
        {{- else if eq $operation.op "add" -}}
          {{- $changed = append (append $changed $operation.value) $entry -}}
        {{- else if eq $operation.op "replace" -}}
          {{- $changed = append $changed $operation.value -}}
        {{- end -}}
      {{- end -}}
    {{- end -}}
    {{- $_ := set $above $aboveKey $changed -}}
  {{- else if eq $operation.op "remove" -}}
    {{- $_ := unset $at $last -}}
  {{- else -}}
    {{- $_ := set $at $last $operation.value -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{/* The objects of .objects whose kind and name .target has; names are regular expressions, as in kustomize. */}}
{{- define "switchyard.patchAll" -}}
{{- $target := .target -}}
{{- range $object := .objects -}}
  {{- if and (eq $object.kind $target.kind) (regexMatch (printf "^(?:%s)$" $target.name) $object.metadata.name) -}}
    {{- include "switchyard.patch" (dict "object" $object "operations" $target.operations) -}}
  {{- end -}}
{{- end -}}
{{- end -}}
