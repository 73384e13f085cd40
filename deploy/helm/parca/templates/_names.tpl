{{/* Names and labels, equal to those of Parca's chart: a Deployment keeps its selector in an upgrade. */}}

{{- define "parca.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "parca.fullname" -}}
{{- $name := include "parca.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "parca.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "parca.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* Labels that select the pods of a part: a list of the root and "server" or "agent". */}}
{{- define "parca.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "parca.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}-{{ index . 1 }}
{{- end -}}

{{/* Labels of every resource of a part. */}}
{{- define "parca.labels" -}}
{{- $root := index . 0 -}}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "parca.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
{{- end -}}

{{/* Metadata of a resource of a part: a list of the root, the part and the name. */}}
{{- define "parca.metadata" -}}
name: {{ index . 2 }}
namespace: {{ (index . 0).Release.Namespace }}
labels:
  {{- include "parca.labels" . | nindent 2 }}
{{- end -}}
