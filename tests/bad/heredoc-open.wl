run cat <<END
abc
