import { NodeHtmlMarkdown } from 'node-html-markdown';

/** Makes Markdown of a page. In a file of its own, which is loaded with the first page: the library is large. */
export function htmlToMarkdown(html: string): string {
  return NodeHtmlMarkdown.translate(html, {
    ignore: ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'head'],
  });
}
