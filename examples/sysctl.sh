#!/bin/bash
# Does a sysctl change what a workload costs? Measures before and after, and
# puts the sysctl back whatever happens. Needs root.
#
#   sysctl.sh kernel.randomize_va_space 0 [WORKLOAD]
set -euo pipefail

forkload=${FORKLOAD:-forkload}
name=${1:?usage: sysctl.sh NAME VALUE [WORKLOAD]}
value=${2:?usage: sysctl.sh NAME VALUE [WORKLOAD]}
workload=${3:-loopback}
file=/proc/sys/${name//.//}

[ -w "$file" ] || {
	echo "sysctl.sh: $name cannot be written; are you root?" >&2
	exit 77
}
before=$(cat "$file")
trap 'echo "$before" >"$file"' EXIT

measure()
{
	local fl_real_us fl_user_us fl_sys_us
	eval "$("$forkload" -q -c 0 -b 3s -F sh -w "$workload")"
	echo "$fl_real_us $((fl_user_us + fl_sys_us))"
}

read -r real_before cpu_before <<<"$(measure)"
echo "$value" >"$file"
read -r real_after cpu_after <<<"$(measure)"

printf '%s: real %d us, CPU %d us\n' \
	"$name=$before" "$real_before" "$cpu_before" \
	"$name=$value" "$real_after" "$cpu_after"
echo "One measurement a side: a difference of a few percent may be noise."
