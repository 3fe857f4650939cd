# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Apt sources of other suites, from the mirror that this machine already uses.

# File, release and address of each of Debian's own package lists, as apt
# itself tells them apart from other vendors' lists of the same suite name.
# shellcheck disable=SC2016 # the $(...) are apt's
debian_lists() {
	apt-get indextargets --format '$(SOURCESENTRY) $(RELEASE) $(REPO_URI)' \
		'Created-By: Packages' 'Origin: Debian' | sort -u
}

# The entry of FILE for SUITE at ADDRESS, with nothing changed but the suite, which
# becomes OTHER.
suite_entry() {
	local file=$1 suite=$2 address=${3%/} other=$4
	if [[ $file == *.sources ]]; then
		grep -v '^#' "$file" | awk -v RS= -v suite="$suite" -v address="$address" -v other="$other" '
			function holds(field, word,    i, n, words) {
				if (!match("\n" $0, "\n" field ":[^\n]*(\n[ \t][^\n]*)*"))
					return 0
				n = split(substr("\n" $0, RSTART, RLENGTH), words, "[ \t\n]+")
				for (i = 1; i <= n; i++)
					if (words[i] == word || words[i] == word "/")
						return 1
				return 0
			}
			!holds("Enabled", "no") && holds("Suites", suite) && holds("URIs", address) {
				n = split($0, lines, "\n")
				for (i = 1; i <= n; i++) {
					if (lines[i] !~ /^[ \t]/)
						skip = 0
					if (lines[i] ~ /^Suites:/) {
						print "Suites: " other
						skip = 1
					}
					if (!skip)
						print lines[i]
				}
				exit
			}'
	else
		awk -v suite="$suite" -v address="$address" -v other="$other" '
			/^deb / {
				for (i = 2; i < NF; i++)
					if (($i == address || $i == address "/") && $(i + 1) == suite) {
						$(i + 1) = other
						print
						exit
					}
			}' "$file"
	fi
}
