package io.queenmq.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries are parsed and matched as the guide describes. Malformed entries match nothing. */
class RightsTest {
    @ParameterizedTest
    @CsvSource({"push:orders,shop,orders,true", "push:orders,'',orders,true", "push:orders,shop,Orders,false",
        "push:orders,shop,orders2,false", "push:orders,shop,order,false", "push:ord*,shop,orders,true",
        "push:*,shop,orders,true", "push:shop/*,shop,orders,true", "push:shop/*,shop2,orders,false",
        "push:shop/*,'',orders,false", "push:*/orders,'',orders,true", "push:*/invoices-*,a,invoices-7,true",
        "push:*/invoices-*,a,invoices,false", "push:/orders,'',orders,true", "push:/orders,shop,orders,false",
        "push:eu/shop/*,eu/shop,orders,true", "push:eu/shop/*,eu,orders,false", "push:a*b*c,x,aXbYc,true",
        "push:a*b*c,x,aXbY,false", "push:**,x,anything,true", "push:a:b,x,a:b,true", "*:orders,x,orders,true",
        "read:orders,x,orders,false", "'pop,push:orders',x,orders,true"})
    void anEntryMatchesQueuesByNamespaceAndName(String entry, String namespace, String queue, boolean isAllowed) {
        assertThat(Rights.of(List.of(entry)).allow(Right.PUSH, namespace, queue)).isEqualTo(isAllowed);
    }

    @Test
    void similarCharactersAreDifferentNames() {
        Rights rights = Rights.of(List.of("pop:caf\u00e9"));
        assertThat(rights.allow(Right.POP, "", "caf\u00e9")).isTrue();
        assertThat(rights.allow(Right.POP, "", "cafe\u0301")).isFalse();
        assertThat(rights.allow(Right.POP, "", "CAF\u00c9")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "push", ":orders", "push:", "push:shop/", "Push:orders", "push, pop:orders",
        "push,:orders", "write:orders", "push;pop:orders", "*,push:orders", "push:a\0b"})
    void unparsableRightsAreMalformed(String entry) {
        assertThatThrownBy(() -> Rights.of(List.of("read:*", entry))).isInstanceOf(MalformedRights.class);
    }

    @Test
    void aClaimIsAListOfStringsOrOneString() {
        assertThat(Rights.ofClaim("push:orders")).isEqualTo(Rights.of(List.of("push:orders")));
        assertThat(Rights.ofClaim(List.of()).allow(Right.READ, "", "orders")).isFalse();
        for (Object claim : Arrays.asList(null, 5, true, Map.of("push", "orders"), List.of("push:a", 5),
                Arrays.asList("push:a", null), List.of(List.of("push:a")))) {
            assertThatThrownBy(() -> Rights.ofClaim(claim)).as("%s", claim).isInstanceOf(MalformedRights.class);
        }
        List<String> many = new ArrayList<>(java.util.Collections.nCopies(Rights.ENTRIES_MAX + 1, "push:a"));
        assertThatThrownBy(() -> Rights.ofClaim(many)).isInstanceOf(MalformedRights.class);
    }

    @Test
    void everyQueueOfANamespaceIsAllowedByOneEntryThatNamesNoQueue() {
        assertThat(Rights.of(List.of("pop:billing/*")).allowNamespace(Right.POP, "billing")).isTrue();
        assertThat(Rights.of(List.of("pop:b*/*")).allowNamespace(Right.POP, "billing")).isTrue();
        assertThat(Rights.of(List.of("pop:billing/*")).allowNamespace(Right.POP, "shop")).isFalse();
        assertThat(Rights.of(List.of("pop:billing/*")).allowNamespace(Right.PUSH, "billing")).isFalse();
        assertThat(Rights.of(List.of("pop:billing/a*")).allowNamespace(Right.POP, "billing")).isFalse();
        assertThat(Rights.of(List.of("pop:*")).allowEverywhere(Right.POP)).isTrue();
        assertThat(Rights.of(List.of("pop:*/*")).allowEverywhere(Right.POP)).isTrue();
        assertThat(Rights.of(List.of("pop:billing/*")).allowEverywhere(Right.POP)).isFalse();
        assertThat(Rights.of(List.of("pop:/*")).allowEverywhere(Right.POP)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"*:*,push:orders,true", "push:*,'push,pop:orders',false", "'push:*;pop:o*','push,pop:orders',true",
        "push:shop/*,push:shop/orders,true", "push:shop/*,push:orders,false", "push:orders,push:shop/orders,true",
        "push:a*,push:*,false", "push:a*,push:a*b*,true", "push:a*b,push:a*,false", "push:*a*,push:b*a,true",
        "push:orders,*:orders,false", "'push:a*;push:b*',push:*,false"})
    void rightsCoverOthersOnlyWhereOneEntryDoes(String own, String wanted, boolean isCovered) {
        assertThat(Rights.of(List.of(own.split(";"))).cover(Rights.of(List.of(wanted)))).isEqualTo(isCovered);
    }

    /** Compares with the definition: no name may be found that the covered pattern matches and the covering one does not. */
    @Test
    void aPatternThatCoversAnotherMatchesAllItsNames() {
        Random random = new Random(7);
        int covered = 0;
        for (int i = 0; i < 200_000; i++) {
            NamePattern one = new NamePattern(text(random, "ab*"));
            NamePattern other = new NamePattern(text(random, "ab*"));
            String name = text(random, "abc");
            if (one.covers(other)) {
                covered++;
                assertThat(!other.matches(name) || one.matches(name)).as("%s %s %s", one, other, name).isTrue();
            }
            assertThat(one.matches(name)).as("%s %s", one, name).isEqualTo(name.matches(one.text().replace("*", ".*")));
        }
        assertThat(covered).isGreaterThan(1_000);
    }

    private static String text(Random random, String letters) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(6); length > 0; length--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
