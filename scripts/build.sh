# Sourced by the scripts that run what is built, after jdk.sh.

# Whether a source or a POM below folder $1 is newer than file $2.
is_stale() {
  [ -f "$2" ] || return 0
  [ -n "$(find "$1" \( -name target -o -name '.?*' \) -prune -o \
    \( -path '*/src/main/*' -o -path '*/src/bundle/*' -o -name pom.xml -o -path "$1/scripts/*" \) \
    -type f -newer "$2" -print 2>/dev/null | head -n 1)" ]
}

# Packages the modules $3 (and what they need) of the checkout $1, unless the stamp $2 is newer than
# every source.
build_if_stale() {
  local root=$1 stamp=$1/$2 modules=$3 started
  is_stale "$root" "$stamp" || return 0
  JAVA_HOME=$(find_jdk25) || return 1
  export JAVA_HOME
  if ! command -v mvn >/dev/null; then
    echo "Building agent-memory needs Maven 3.8.7 or newer (the command mvn): install it first." >&2
    return 1
  fi
  echo "Building agent-memory (takes 1 to 4 minutes; the first time Maven also downloads libraries) ..." >&2
  started=$(mktemp)
  if ! (cd "$root" && mvn -B -q -ntp -Dstyle.color=never -DskipTests -pl "$modules" -am package) \
    | sed $'s/\e\\[[0-9;]*m//g' >&2; then
    rm -f "$started"
    return 1
  fi
  touch -r "$started" "$stamp"
  rm -f "$started"
}
