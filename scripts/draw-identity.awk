# This source file is part of swift-archiving.
# SPDX-License-Identifier: Apache-2.0
#
# Draws docs/identity.svg: JSON beside an archive of the example farm, to standard output. The input is
# Sources/Examples/farm/main.swift, which has the animals, the barns, the owner and the name of the farm.

/^let .* = Barn\(builtIn: [0-9]+\)/ {
    barns += 1
    split($0, parts, /let | = Barn\(builtIn: |\)/)
    number[parts[2]] = barns
    year[barns] = parts[3]
}
/^    name: "/ { split($0, parts, "\""); farm = parts[2] }
/owner: Owner\(name: "/ { split($0, parts, "\""); owner = parts[2] }
/ Animal\(name: "/ {
    animals += 1
    split($0, parts, /"|kind: \.|, barn: |\)/)
    name[animals] = parts[2]; kind[animals] = parts[4]; home[animals] = number[parts[5]]
    copies[home[animals]] += 1
}

END {
    if (animals != 4 || barns != 2 || farm == "" || owner == "" || home[1] != 1) {
        print "error: the picture does not fit the farm of the example" > "/dev/stderr"
        exit 1
    }
    cell = 58
    head()

    left = 16
    common(left, "JSONEncoder")
    path("wrong", "M" at(5) - 47 " 82H" left + 158)
    words(left + 194, 97, "middle", "danger", "farm")
    for (i = 1; i <= animals; i++) {
        path("line", "M" at(i) " 178V214")
        box(at(i), 218, "Barn", year[home[i]], home[i] == 1 ? "bad" : "barn")
    }
    for (i = 1; i <= barns; i++) {
        path("line", "M" at(animals + i) " 114V214")
        box(at(animals + i), 218, "Barn", year[i], i == 1 ? "bad" : "barn")
    }
    words(left, 308, "start", "danger", "✗ The " year[1] " barn is encoded " copies[1] + 1 " times.")
    words(left, 328, "start", "danger", "✗ owner.farm as a plain property: stack overflow.")

    left = 16 + 6 * cell + 40
    path("rule", "M" left - 20 " 20V332")
    common(left, "ArchiveEncoder")
    path("back", "M" at(5) - 47 " 82H" left + 158)
    words(left + 194, 97, "middle", "fine", "farm")
    for (i = 1; i <= animals; i++) {
        target = home[i] == 1 ? at(2) + 9 * (i - 2) : at(5) - 14
        path("line", "M" at(i) " 178L" target " 214")
    }
    path("line", "M" at(5) " 114V214")
    path("line", "M" at(6) " 114V278H" at(2) "V264")
    box(at(2), 218, "Barn", year[1], "good")
    box(at(5), 218, "Barn", year[2], "good")
    words(left, 308, "start", "fine", "✓ Each barn is one object.")
    words(left, 328, "start", "fine", "✓ The owner refers back to the farm.")
    print "</svg>"
}

# The middle of a column, from 1 on.
function at(column) { return left + cell * column - cell / 2 }

# The farm, its owner and its animals, which are the same in both halves.
function common(left, title,    i, last) {
    words(left, 34, "start", "title", title)
    wide(left, 152, "Farm", farm)
    wide(at(5) - 45, 103, "Owner", owner)
    path("line", "M" left + 152 " 66H" at(5) - 49)
    words(left + 194, 60, "middle", "faint", "owner")
    last = at(animals + barns)
    path("bus", "M" left + 76 " 94V114M" at(1) " 114H" last)
    for (i = 1; i <= animals; i++) {
        path("line", "M" at(i) " 114V132")
        box(at(i), 136, name[i], kind[i], "animal")
    }
}

function box(middle, top, first, second, kind) {
    printf "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"52\" height=\"42\" rx=\"5\"/>\n", kind, middle - 26, top
    words(middle, top + 17, "middle", "name", first)
    words(middle, top + 34, "middle", "faint", second)
}

function wide(x, width, first, second) {
    printf "<rect class=\"plain\" x=\"%s\" y=\"52\" width=\"%s\" height=\"42\" rx=\"5\"/>\n", x, width
    words(x + width / 2, 69, "middle", "name", first)
    words(x + width / 2, 86, "middle", "faint", second)
}

function path(kind, shape) { printf "<path class=\"%s\" d=\"%s\"/>\n", kind, shape }

function words(x, y, anchor, kind, text) {
    printf "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n", kind, x, y, anchor, text
}

function marker(id) {
    printf "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"6\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">", id
    printf "<path class=\"tip-%s\" d=\"M0 0L8 4L0 8Z\"/></marker>\n", id
}

function head() {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"768\" height=\"346\" viewBox=\"0 0 768 346\" role=\"img\" "
    print "aria-labelledby=\"title description\">"
    print "<title id=\"title\">A farm as JSON and as an archive</title>"
    printf "<desc id=\"description\">JSONEncoder encodes the barn of %s %d times, ", year[1], copies[1] + 1
    printf "and overflows the stack if the owner refers to the farm by a plain property. "
    print "ArchiveEncoder encodes each barn once, and the reference.</desc>"
    print "<style>"
    print "text{font:12px ui-monospace,\"SF Mono\",Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#1f2328}"
    print ".title{font-size:15px;font-weight:600}.name{font-weight:600}.faint{fill:#59636e;font-size:11px}"
    print ".danger{fill:#a52731}.fine{fill:#1a6b3f}"
    print "rect{stroke-width:1.2}path{fill:none;stroke-width:1.5}"
    print ".page{fill:#fff}.plain{fill:#e9ebee;stroke:#6b7480}.animal{fill:#d1e4fa;stroke:#2760a5}"
    print ".barn{fill:#fff;stroke:#6b7480}.bad{fill:#fad1d5;stroke:#a52731}.good{fill:#d1fae4;stroke:#208850}"
    print ".bus,.rule{stroke:#6b7480}.rule{stroke-dasharray:2 5}.line{stroke:#6b7480;marker-end:url(#line)}"
    print ".wrong{stroke:#a52731;marker-end:url(#wrong)}.back{stroke:#208850;stroke-dasharray:5 4;marker-end:url(#back)}"
    print "path.tip-line{fill:#6b7480}path.tip-wrong{fill:#a52731}path.tip-back{fill:#208850}"
    print "@media (prefers-color-scheme:dark){"
    print "text{fill:#e6edf3}.faint{fill:#9aa4af}.danger{fill:#f08c93}.fine{fill:#76e2a9}"
    print ".page{fill:#0d1117}.plain{fill:#2f353d;stroke:#8a94a1}.animal{fill:#263c54;stroke:#76aae2}"
    print ".barn{fill:#151b23;stroke:#8a94a1}.bad{fill:#542629;stroke:#f08c93}.good{fill:#26543c;stroke:#76e2a9}"
    print ".bus,.rule,.line{stroke:#8a94a1}.wrong{stroke:#f08c93}.back{stroke:#76e2a9}"
    print "path.tip-line{fill:#8a94a1}path.tip-wrong{fill:#f08c93}path.tip-back{fill:#76e2a9}"
    print "}"
    print "</style>"
    marker("line"); marker("wrong"); marker("back")
    print "<rect class=\"page\" width=\"768\" height=\"346\"/>"
}
