#!/bin/bash
# A threshold in CI: fails where the round of a workload takes too long.
#
#   threshold.sh [LIMIT] [WORKLOAD]     threshold.sh 2s loopback
set -euo pipefail

forkload=${FORKLOAD:-forkload}
limit=${1:-2s}
workload=${2:-loopback}

status=0
"$forkload" --fail-if "real>$limit" -b 3s -w "$workload" || status=$?
case $status in
0) echo "within $limit" ;;
3) echo "too slow: more than $limit" ;;
5) echo "cannot tell" ;;
*) echo "the measurement itself failed: $status" ;;
esac
exit "$status"
