#!/bin/sh
# Builds queen-VERSION-linux-ARCH.tar.gz, an installation that needs no Java, and a Debian package with the same files if dpkg-deb is
# installed. Called by ./mvnw -Prelease package.
#   release.sh VERSION TARGET
# TARGET is the directory with queen.jar and lib; the files are written to it. Java is JAVA_HOME if that is a JDK 25, or one in /usr/lib/jvm.
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
x86_64) arch=x64 debian_arch=amd64 ;;
aarch64) arch=arm64 debian_arch=arm64 ;;
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

# Prepared classes for short commands. Servers have no such cache: the JVM cannot load one that contains the classes of a sealed
# package (org.tukaani.xz), and ends. The environment is cleared, so that the command finds no server.
env -i PATH="$PATH" "QUEEN_JAVA_OPTS=-XX:AOTCacheOutput=$home/lib/queen.aot -Xlog:disable" "$home/bin/queen" \
    status --url http://127.0.0.1:1 >/dev/null 2>&1 || true
[ -s "$home/lib/queen.aot" ] || die "no AOT cache was created"
env -i PATH="$PATH" "$home/bin/queen" version >/dev/null || die "the JVM cannot load the AOT cache"

tar -C "$target/release" --owner=0 --group=0 -czf "$target/$name.tar.gz" "$name"

# The Debian package has the files of the archive in /opt/queen, a user, a unit and a file with settings.
if command -v dpkg-deb >/dev/null; then
    package=$target/release/deb
    mkdir -p "$package/DEBIAN" "$package/opt" "$package/etc/queen" "$package/lib/systemd/system" "$package/usr/bin"
    mv "$home" "$package/opt/queen"
    cp "$root/deploy/systemd/queen.service" "$package/lib/systemd/system/"
    cp "$root/deploy/systemd/queen.properties" "$package/etc/queen/"
    chmod 640 "$package/etc/queen/queen.properties"
    ln -s /opt/queen/bin/queen "$package/usr/bin/queen"
    for script in postinst prerm postrm; do
        cp "$root/deploy/debian/$script" "$package/DEBIAN/"
        chmod 755 "$package/DEBIAN/$script"
    done
    echo /etc/queen/queen.properties >"$package/DEBIAN/conffiles"
    # A snapshot precedes its release.
    sed -e "s/@VERSION@/$(echo "$version" | tr - '~')/" -e "s/@ARCH@/$debian_arch/" \
        -e "s/@SIZE@/$(du -sk "$package/opt" | cut -f1)/" "$root/deploy/debian/control" >"$package/DEBIAN/control"
    dpkg-deb --root-owner-group -Zgzip --build "$package" "$target/queen_${version}_$debian_arch.deb" >/dev/null
    echo "$target/queen_${version}_$debian_arch.deb"
fi
rm -rf "$target/release"
echo "$target/$name.tar.gz"
