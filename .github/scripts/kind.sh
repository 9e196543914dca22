#!/usr/bin/env bash
# Installs Switchyard into the kind cluster of the current context by the steps of docs/kubernetes.md: first the newest release, then this
# commit. Checks that each becomes ready.
set -euo pipefail

readonly SPACE=switchyard
readonly OVERLAY=k8s/overlays/single-node

main() {
  local now before
  now=$(git rev-parse HEAD)
  before=$(git describe --tags --abbrev=0 --match 'v*' HEAD^ 2>/dev/null || true)
  secrets
  if [[ -n "$before" ]]; then install "$before"; fi
  install "$now"
}

secrets() {
  local admin owner app metrics redis
  admin=$(openssl rand -hex 24) owner=$(openssl rand -hex 24) app=$(openssl rand -hex 24)
  metrics=$(openssl rand -hex 24) redis=$(openssl rand -hex 24)
  kubectl create namespace "$SPACE"
  secret switchyard-postgresql "POSTGRES_PASSWORD=$admin"
  secret switchyard-redis "redis.conf=requirepass $redis"
  secret switchyard-migrations \
    "DATABASE_ADMIN_URL=postgresql://switchyard:$admin@postgresql:5432/postgres" \
    "DATABASE_OWNER_URL=postgresql://switchyard_owner:$owner@postgresql:5432/switchyard" \
    "METRICS_OWNER_URL=postgresql://switchyard_owner:$owner@postgresql:5432/switchyard_metrics"
  secret switchyard-orchestration \
    "DATABASE_URL=postgresql://switchyard_app:$app@postgresql:5432/switchyard" \
    "REDIS_URL=redis://:$redis@redis:6379" \
    "RUN_TOKEN_SECRET=$(openssl rand -base64 32)" "SESSION_SECRET=$(openssl rand -base64 32)" \
    "SECRETS_MASTER_KEY=$(openssl rand -base64 32)"
  secret switchyard-runner "RUNNER_TOKEN=$(openssl rand -hex 32)"
  secret switchyard-metrics \
    "DATABASE_URL=postgresql://switchyard_metrics:$metrics@postgresql:5432/switchyard_metrics"
}

secret() {
  local name=$1
  shift
  kubectl --namespace "$SPACE" create secret generic "$name" "${@/#/--from-literal=}"
}

build() {
  local folder=$1 image=$2
  case $image in
    switchyard-runner:*) set -- --target runner --file "$folder/services/orchestration/Dockerfile" ;;
    switchyard-metrics:*) set -- --file "$folder/services/metrics/Dockerfile" ;;
    *) set -- --file "$folder/services/orchestration/Dockerfile" ;;
  esac
  docker build --tag "$image" "$@" "$folder"
}

install() {
  local folder image
  folder=$(mktemp -d)
  git worktree add --detach "$folder" "$1"
  for image in $(kubectl kustomize "$folder/$OVERLAY" | sed -n 's/.*image: \(switchyard-.*\)/\1/p' | sort -u); do
    build "$folder" "$image"
    kind load docker-image "$image"
  done
  kubectl --namespace "$SPACE" delete jobs --all
  kubectl apply --kustomize "$folder/$OVERLAY"
  kubectl --namespace "$SPACE" rollout restart deployment
  kubectl --namespace "$SPACE" rollout status deployment --timeout 600s
  kubectl --namespace "$SPACE" exec deployment/switchyard-api -- \
    node node_modules/@switchyard/server/dist/bin/check-probe.js http://127.0.0.1:3100/readyz
}

main
