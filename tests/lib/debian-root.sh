# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A fresh Debian of this machine's own release, from its own apt sources.

debian_release() {
	# shellcheck source=/dev/null
	(. /etc/os-release && echo "$VERSION_CODENAME")
}

# This release's suites, without its backports, as entries of an apt source.
# shellcheck disable=SC2016 # the $(...) are apt's
debian_sources() {
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' |
		grep -E " $(debian_release)(-updates|-security)? " | sort -u
}

# What apt would take of these packages.
debian_versions() {
	apt-cache policy "$@" | sed -n -e '/^[^ ]/p' -e '/^ *Candidate:/p'
}

# debian_tarball FOLDER PACKAGE...: FOLDER/tree.tar, unpacked and configured.
# shellcheck disable=SC2016 # the $1 are mmdebstrap's
debian_tarball() {
	local folder=$1 word
	shift
	# How apt reaches its sources, by a proxy perhaps, is not the tree's business.
	apt-config dump | grep -E '^Acquire::' >"$folder/apt.conf" || true
	debian_sources >"$folder/sources"
	word=$(IFS=,; echo "$*")
	TMPDIR=$folder mmdebstrap --quiet --variant=essential \
		--keyring=/usr/share/keyrings/debian-archive-keyring.gpg --aptopt="$folder/apt.conf" \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' --include="$word" \
		--customize-hook='rm -f "$1"/etc/apt/apt.conf.d/99mmdebstrap "$1"/etc/apt/sources.list' \
		--customize-hook='echo lab >"$1"/etc/hostname' \
		--customize-hook='echo 00000000000000000000000000000001 >"$1"/etc/machine-id' \
		"$(debian_release)" "$folder/tree.tar" "$folder/sources" >&2
}
