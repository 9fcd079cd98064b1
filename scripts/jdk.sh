# Sourced by the launchers and by verify. Finds a JDK 25 without starting one.

# Whether a folder is a JDK 25: the version stands in its file `release`.
is_jdk25() {
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] \
    && grep -Eq '^JAVA_VERSION="?25([."+-]|$)' "$1/release"
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

# Prints the home of a JDK 25, or says what to install and fails.
find_jdk25() {
  local dir
  for dir in "${JAVA_HOME:-}" \
    /usr/lib/jvm/* /opt/* "$HOME"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$(java_on_path)"; do
    if [ -n "$dir" ] && is_jdk25 "$dir"; then
      printf '%s\n' "$dir"
      return 0
    fi
  done
  echo "agent-memory needs a JDK 25 and found none: install one (for example Temurin 25) or set JAVA_HOME to it." >&2
  return 1
}
