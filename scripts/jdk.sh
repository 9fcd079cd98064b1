# Sourced by the launchers and by verify. Finds a JDK 25 without starting one, and without starting
# anything else where it can: each process costs a command a millisecond or two.

# Whether a folder is a JDK 25: the version stands in its file `release`.
is_jdk25() {
  local line
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=25 | JAVA_VERSION=25[.+-]* | JAVA_VERSION=\"25[\".+-]*) return 0 ;;
    esac
  done <"$1/release"
  return 1
}

# The home of the `java` on the PATH, links followed.
java_on_path() {
  local file link
  file=$(command -v java) || return 1
  while [ -L "$file" ]; do
    link=$(readlink "$file")
    case $link in
      /*) file=$link ;;
      *) file=$(dirname "$file")/$link ;;
    esac
  done
  (cd "$(dirname "$file")/.." 2>/dev/null && pwd)
}

# Leaves the home of a JDK 25 in `jdk25`, or says what to install and fails.
locate_jdk25() {
  for jdk25 in "${JAVA_HOME:-}" \
    /usr/lib/jvm/* /opt/* "$HOME"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$jdk25" ] && is_jdk25 "$jdk25"; then
      return 0
    fi
  done
  if jdk25=$(java_on_path) && is_jdk25 "$jdk25"; then
    return 0
  fi
  echo "agent-memory needs a JDK 25 and found none: install one (for example Temurin 25) or set JAVA_HOME to it." >&2
  return 1
}

# The same, printed.
find_jdk25() {
  local jdk25
  locate_jdk25 && printf '%s\n' "$jdk25"
}
