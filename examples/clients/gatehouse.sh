#!/usr/bin/env bash
# Runs a prompt and prints the answer as it comes. bash, curl 7.84 or newer, and jq.
#
# Usage: GATEHOUSE_BASE_URL=http://127.0.0.1:3000/v1 GATEHOUSE_API_KEY=… ./gatehouse.sh PROMPT
set -euo pipefail
url=${GATEHOUSE_BASE_URL:-http://127.0.0.1:3000/v1}

# The key is read from a file descriptor: what is on a command line, others see.
call() {
  curl -sS -H @<(echo "Authorization: Bearer $GATEHOUSE_API_KEY") "$@"
}

refuse() { # the answer
  jq -r '"\(.code): \(.error) (\(.request_id))"' <<< "$1" >&2 || echo "$1" >&2
  exit 1
}

# Repeats what may do better later (429, 5xx, a lost connection, one with its key that is under way),
# after Retry-After if the service says when; it is done once all the same, by its key. A refusal is
# printed, and ends this.
post() { # path, body
  local key answer status wait try
  key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  for try in 1 2 3 4 5 6 7 8; do
    answer=$(call -H 'Content-Type: application/json' -H "Idempotency-Key: $key" --data "$2" \
      -w '\n%{http_code} %header{retry-after}' "$url$1") || true # on a last line of its own
    read -r status wait <<< "${answer##*$'\n'}"
    answer=${answer%$'\n'*}
    case $status in
      2??) echo "$answer"; return ;;
      000 | 408 | 429 | 5??) ;;
      *) [[ $answer == *'"idempotency_in_progress"'* ]] || refuse "$answer" ;;
    esac
    sleep "${wait:-$((try * 2))}"
  done
  refuse "$answer"
}

session=$(post /sessions '{"title":"shell"}' | jq -er .id)
body=$(jq -n --arg text "$*" '{input: [{role: "user", content: [{type: "input_text", $text}]}]}')
run=$(post "/sessions/$session/runs" "$body" | jq -er .id)

last=0
kind=
while [[ ! $kind =~ ^run\.(completed|failed|cancelled)$ ]]; do
  # What is silent for 60 seconds is broken: a stream says something every 15. A line that was cut
  # off in the middle is not read; a refusal is one without an end.
  while IFS= read -r line || [[ $line == '{'* ]]; do
    if [[ $line == '{'* ]]; then
      code=$(jq -r .code <<< "$line")
      [[ $code =~ ^(rate_limited|unavailable|internal_error)$ ]] && break # later, then
      refuse "$line"
    fi
    [[ $line == 'data: '* ]] || continue
    event=${line#data: }
    last=$(jq .sequence_number <<< "$event")
    kind=$(jq -r .type <<< "$event")
    if [[ $kind == message.output.delta ]]; then jq -j .data.delta <<< "$event"; fi
    if [[ $kind == run.failed ]]; then jq -r .data.error.message <<< "$event" >&2; fi
  done < <(call -N --speed-limit 1 --speed-time 60 -H 'Accept: text/event-stream' \
    "$url/runs/$run/events?starting_after=$last" 2> /dev/null)
  [[ $kind =~ ^run\.(completed|failed|cancelled)$ ]] || sleep 1
done
printf '\n%s\n' "$kind"
[[ $kind == run.completed ]]
