package io.queenmq.dashboard;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Renders Markdown files as the bodies of pages. Links to files that are not served become text. */
final class DocumentRenderer {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

    private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
    private final DocumentPaths paths;

    DocumentRenderer(DocumentPaths paths) {
        this.paths = paths;
    }

    /** @param file path in the repository */
    Document render(String file, String markdown) {
        Node root = parser.parse(markdown);
        root.accept(new Links(file, paths));
        Sections sections = new Sections();
        root.accept(sections);
        HtmlRenderer html = HtmlRenderer.builder().extensions(EXTENSIONS).escapeHtml(true)
                .attributeProviderFactory(_ -> (node, _, attributes) -> {
                    String anchor = sections.anchors.get(node);
                    if (anchor != null) {
                        attributes.put("id", anchor);
                    }
                }).build();
        return new Document(DocumentPaths.address(file), sections.title(file), html.render(root),
                Set.copyOf(sections.anchors.values()), sections.end());
    }

    /** Replaces the targets of links and images by addresses, and removes HTML, which only marks quoted code. */
    private static final class Links extends AbstractVisitor {
        private final String file;
        private final DocumentPaths paths;

        Links(String file, DocumentPaths paths) {
            this.file = file;
            this.paths = paths;
        }

        @Override
        public void visit(Link link) {
            visitChildren(link);
            String address = paths.resolve(file, link.getDestination());
            if (address != null) {
                link.setDestination(address);
                return;
            }
            while (link.getFirstChild() != null) {
                link.insertBefore(link.getFirstChild());
            }
            link.unlink();
        }

        @Override
        public void visit(Image image) {
            String address = paths.resolve(file, image.getDestination());
            if (address == null) {
                throw new IllegalStateException(file + " shows a missing image: " + image.getDestination());
            }
            image.setDestination(address);
        }

        @Override
        public void visit(HtmlBlock html) {
            html.unlink();
        }
    }

    /** Collects the text below each heading, and the anchors of headings in the form that GitHub uses. */
    private static final class Sections extends AbstractVisitor {
        private final Map<Node, String> anchors = new IdentityHashMap<>();
        private final Set<String> used = new HashSet<>();
        private final List<Document.Section> sections = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private String title = "";
        private String heading = "";
        private String anchor = "";

        @Override
        public void visit(Heading node) {
            String name = textOf(node);
            String slug = unique(slug(name));
            anchors.put(node, slug);
            if (node.getLevel() == 1 && title.isEmpty()) {
                title = name;
                heading = name;
                return;
            }
            finish();
            heading = name;
            anchor = slug;
        }

        private void finish() {
            sections.add(new Document.Section(heading, anchor, text.toString().replaceAll("\\s+", " ").strip()));
            text.setLength(0);
        }

        List<Document.Section> end() {
            finish();
            return List.copyOf(sections);
        }

        String title(String file) {
            return title.isEmpty() ? file : title;
        }

        private String unique(String slug) {
            String unique = slug;
            for (int i = 1; !used.add(unique); i++) {
                unique = slug + "-" + i;
            }
            return unique;
        }

        private static String slug(String heading) {
            return heading.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
        }

        private static String textOf(Node node) {
            Sections inner = new Sections();
            inner.visitChildren(node);
            return inner.text.toString().strip();
        }

        @Override
        public void visit(Text node) {
            text.append(node.getLiteral());
        }

        @Override
        public void visit(Code node) {
            text.append(node.getLiteral());
        }

        @Override
        public void visit(FencedCodeBlock node) {
            text.append(' ').append(node.getLiteral()).append(' ');
        }

        @Override
        public void visit(IndentedCodeBlock node) {
            text.append(' ').append(node.getLiteral()).append(' ');
        }

        @Override
        public void visit(SoftLineBreak node) {
            text.append(' ');
        }

        @Override
        public void visit(HardLineBreak node) {
            text.append(' ');
        }

        @Override
        public void visit(Paragraph node) {
            visitChildren(node);
            text.append(' ');
        }

        @Override
        public void visit(ListItem node) {
            visitChildren(node);
            text.append(' ');
        }

        @Override
        public void visit(CustomNode node) {
            visitChildren(node);
            if (node instanceof TableCell || node instanceof TableRow) {
                text.append(' ');
            }
        }
    }
}
