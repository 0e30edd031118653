#!/bin/sh
# Builds queen-VERSION-linux-ARCH.tar.gz: an installation that needs no Java. Called by ./mvnw -Prelease package.
#   release.sh VERSION TARGET
# TARGET is the directory with queen.jar and lib; the archive is written to it. Java is JAVA_HOME if that is a JDK 25, or one in /usr/lib/jvm.
set -eu

die() {
    echo "release: $*" >&2
    exit 1
}

[ $# -eq 2 ] || die "expects 2 arguments: VERSION TARGET"
version=$1
target=$(CDPATH='' cd -- "$2" && pwd -P)
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
[ -r "$target/queen.jar" ] && [ -d "$target/lib" ] || die "$target does not contain queen.jar and lib; run ./mvnw -pl cli -am package"

jdk=
for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/*; do
    if [ -x "$home/bin/jlink" ] && grep -q '^JAVA_VERSION="25' "$home/release" 2>/dev/null; then
        jdk=$home
        break
    fi
done
[ -n "$jdk" ] || die "no JDK 25 with jlink found in JAVA_HOME, /usr/lib/jvm and /opt"

case $(uname -m) in
x86_64) arch=x64 ;;
aarch64) arch=arm64 ;;
*) die "the architecture $(uname -m) is not supported" ;;
esac

# As reported by jdeps --print-module-deps for the jar and its libraries, and modules that are loaded by name:
# DNS, zip files, and the clients of JMX.
modules=java.base,java.compiler,java.desktop,java.logging,java.management,java.naming,java.net.http,java.scripting
modules=$modules,java.security.jgss,java.sql,java.xml,jdk.jfr,jdk.management,jdk.naming.dns,jdk.security.auth,jdk.unsupported,jdk.zipfs

name=queen-$version-linux-$arch
home=$target/release/$name
rm -rf "$target/release"
mkdir -p "$home/bin" "$home/lib" "$home/licenses"

"$jdk/bin/jlink" --add-modules "$modules" --strip-java-debug-attributes --no-header-files --no-man-pages \
    --output "$home/runtime"
cp "$root/deploy/bin/queen" "$root/deploy/bin/queen-health" "$home/bin/"
cp -p "$target/queen.jar" "$home/lib/"
cp -pR "$target/lib" "$home/lib/lib"
cp -R "$root/deploy/systemd" "$home/systemd"
cp "$root/LICENSE" "$root/README.md" "$root/CHANGELOG.md" "$home/"
(cd "$home/licenses" && "$jdk/bin/jar" xf "$target/queen.jar" META-INF/THIRD-PARTY-NOTICES.txt META-INF/sbom/queen.cdx.json)
# A build without network has no bill of materials.
for file in META-INF/THIRD-PARTY-NOTICES.txt META-INF/sbom/queen.cdx.json; do
    [ ! -f "$home/licenses/$file" ] || mv "$home/licenses/$file" "$home/licenses/"
done
rm -rf "$home/licenses/META-INF"
[ -f "$home/licenses/THIRD-PARTY-NOTICES.txt" ] || die "queen.jar contains no licenses of libraries"
cp -R "$home/runtime/legal" "$home/licenses/java"

tar -C "$target/release" --owner=0 --group=0 -czf "$target/$name.tar.gz" "$name"
rm -rf "$target/release"
echo "$target/$name.tar.gz"
