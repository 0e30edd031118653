{{- define "queen.selector" -}}
app.kubernetes.io/name: queen
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "queen.labels" -}}
{{ include "queen.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "queen.secret" -}}
{{ .Values.secret.existing | default .Release.Name }}
{{- end }}
