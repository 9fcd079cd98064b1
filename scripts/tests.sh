# Sourced by verify: what the suites' own reports below folder $1 say, of those that are newer than file $2.

reports() {
  find "$1" -path '*/target/*-reports/TEST-*.xml' -newer "$2" -print0
}

# Every test that was skipped, with its reason; nothing when none was.
list_skipped() {
  reports "$1" "$2" | xargs -0 -r cat | awk '
    function attribute(line, name,   at, rest) {
      at = index(line, " " name "=\"")
      if (!at) return ""
      rest = substr(line, at + length(name) + 3)
      return substr(rest, 1, index(rest, "\"") - 1)
    }
    function plain(text) {
      gsub(/&#1[03];|&#x[aAdD];/, " ", text)
      gsub(/&quot;/, "\"", text); gsub(/&apos;/, "\047", text)
      gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&amp;/, "\\&", text)
      return text
    }
    /<testcase / { test = attribute($0, "classname") "." attribute($0, "name") }
    /<skipped/ {
      reason = attribute($0, "message")
      if (!any++) print "Skipped tests:"
      printf "  %s: %s\n", plain(test), reason == "" ? "no reason given" : plain(reason)
    }'
}

# The ten test classes that took longest, in seconds.
list_slowest() {
  reports "$1" "$2" | xargs -0 -r grep -h -m 1 '<testsuite ' | awk '
    function attribute(line, name,   at, rest) {
      at = index(line, " " name "=\"")
      rest = substr(line, at + length(name) + 3)
      return substr(rest, 1, index(rest, "\"") - 1)
    }
    { time = attribute($0, "time"); gsub(/,/, "", time)
      printf "%9.1f s  %s\n", time, attribute($0, "name") }' \
    | sort -rn | awk 'NR == 1 { print "Slowest test classes:" } NR <= 10'
}

# The sum of the suites' own counts. A test with parameters or seeds is one method with several cases; a method that
# several classes inherit counts once for each of them.
count_tests() {
  reports "$1" "$2" | xargs -0 -r grep -h -E '<testsuite |<testcase ' | awk '
    function number(name) {
      if (!match($0, " " name "=\"[0-9]+\"")) return 0
      return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0
    }
    function attribute(name,   at, rest) {
      at = index($0, " " name "=\"")
      if (!at) return ""
      rest = substr($0, at + length(name) + 3)
      return substr(rest, 1, index(rest, "\"") - 1)
    }
    /<testsuite / {
      tests += number("tests"); skipped += number("skipped")
      failed += number("failures") + number("errors")
    }
    /<testcase / {
      name = attribute("name"); sub(/(\[[0-9]+\])+$/, "", name)
      if (name != "" && !seen[attribute("classname") "#" name]++) methods++
    }
    END {
      printf "%d test methods with %d cases\n", methods, tests
      printf "%d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped
    }'
}
