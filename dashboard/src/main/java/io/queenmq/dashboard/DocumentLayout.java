package io.queenmq.dashboard;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The frame of the pages below {@code /docs}: a menu, a search field and the content. It needs no script. */
final class DocumentLayout {
    private static final String FRAME = """
            <!doctype html>
            <html lang="en">
            <head>
              <meta charset="utf-8">
              <meta name="viewport" content="width=device-width, initial-scale=1">
              <meta name="color-scheme" content="light dark">
              <title>@title@ · Queen</title>
              <link rel="icon" href="@assets@/queen.svg" type="image/svg+xml">
              <link rel="stylesheet" href="@assets@/css/style.css">
            </head>
            <body class="docs">
              <header>
                <a class="brand" href="/docs"><img src="@assets@/queen.svg" alt="" width="28" height="28">Queen <span>documentation</span></a>
                <form action="/docs" role="search"><input type="search" name="q" value="@query@" placeholder="Search" aria-label="Search the documentation"></form>
                <a class="contents" href="#menu">Contents</a>
                <a class="back" href="/">Dashboard</a>
              </header>
              <div class="columns">
                <main id="content">@content@</main>
                <nav id="menu" aria-label="Documents">@menu@</nav>
              </div>
            </body>
            </html>
            """;

    private static final Pattern PLACEHOLDER = Pattern.compile("@(\\w+)@");

    private final List<DocumentNavigation.Group> menu;
    private final String assets;

    /** @param release the hash in the addresses of assets */
    DocumentLayout(List<DocumentNavigation.Group> menu, String release) {
        this.menu = menu;
        this.assets = "/assets/" + release;
    }

    String page(Document document) {
        return frame(document.title(), "", document.html(), document.address());
    }

    String results(String query, List<DocumentSearch.Found> results) {
        StringBuilder content = new StringBuilder("<h1>").append(switch (results.size()) {
            case 0 -> "No section contains “" + escape(query) + "”";
            case 1 -> "1 section contains “" + escape(query) + "”";
            default -> results.size() + " sections contain “" + escape(query) + "”";
        }).append("</h1>\n<ol class=\"results\">\n");
        for (DocumentSearch.Found each : results) {
            content.append("<li><a href=\"").append(escape(each.address())).append("\">").append(escape(each.heading()))
                    .append("</a> <span>").append(escape(each.title())).append("</span><p>")
                    .append(escape(each.excerpt())).append("</p></li>\n");
        }
        return frame("Search", query, content.append("</ol>\n").toString(), "");
    }

    private String frame(String title, String query, String content, String address) {
        Map<String, String> values = Map.of("assets", assets, "title", escape(title), "query", escape(query), "menu",
                menu(address), "content", content);
        return PLACEHOLDER.matcher(FRAME).replaceAll(
                found -> Matcher.quoteReplacement(Objects.requireNonNull(values.get(found.group(1)), found.group())));
    }

    private String menu(String address) {
        StringBuilder html = new StringBuilder();
        for (DocumentNavigation.Group group : menu) {
            html.append("<h2>").append(escape(group.name())).append("</h2><ul>");
            for (DocumentNavigation.Item item : group.items()) {
                html.append("<li><a href=\"").append(item.address()).append('"')
                        .append(item.address().equals(address) ? " aria-current=\"page\"" : "").append('>')
                        .append(escape(item.name())).append("</a></li>");
            }
            html.append("</ul>");
        }
        return html.toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
