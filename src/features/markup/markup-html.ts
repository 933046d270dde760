import { escapeHtml } from '../../lib/html.ts';
import type { Span } from './markup-spans.ts';
import { type Block, getRowText, type ListItem, parseMarkup, type TableRow } from './parse-markup.ts';

/** Texts shown in place of an external picture. */
export interface MarkupLabels {
  picture: string;
  /** Contains `{{text}}` for the alternative text. */
  pictureNamed: string;
}

/**
 * Renders a message as HTML for a file, with the same formatting as on the page. The message cannot inject markup: all
 * elements are created here, and every text is escaped.
 */
export function renderMarkupHtml(text: string, words: MarkupLabels): string {
  return renderBlocks(parseMarkup(text.toWellFormed()).blocks, words);
}

function renderBlocks(blocks: readonly Block[], words: MarkupLabels): string {
  return blocks.map((block) => renderBlock(block, words)).join('');
}

function renderBlock(block: Block, words: MarkupLabels): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p dir="auto">${renderSpans(block.spans, words)}</p>`;
    case 'heading':
      // Not a heading element, because it is not part of the page's outline.
      return `<p dir="auto"><b>${renderSpans(block.spans, words)}</b></p>`;
    case 'quote':
      return `<blockquote dir="auto">${renderInnerBlocks(block.blocks, words)}</blockquote>`;
    case 'list': {
      const items = block.items.map((item) => renderItem(item, words)).join('');
      return block.ordered ? `<ol>${items}</ol>` : `<ul>${items}</ul>`;
    }
    case 'table':
      return renderTable(block, words);
    case 'code':
      // Focusable, so that long lines can be scrolled with the keyboard.
      return `<pre dir="auto" tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
    case 'rule':
      return '<hr>';
    case 'plain':
      return `<p class="plain" dir="auto">${escapeHtml(block.text)}</p>`;
  }
}

/** Renders the first paragraph of a list item or quote without its own element. */
function renderInnerBlocks([first, ...rest]: readonly Block[], words: MarkupLabels): string {
  if (first?.kind !== 'paragraph') return renderBlocks(first === undefined ? rest : [first, ...rest], words);
  return renderSpans(first.spans, words) + renderBlocks(rest, words);
}

function renderTable({ columns, head, rows }: Block & { kind: 'table' }, words: MarkupLabels): string {
  const renderRow = (row: TableRow, tag: string) => {
    const cells = row.map((cell, column) => {
      const alignment = columns[column] ?? null;
      const attributes = alignment === null ? tag : `${tag} class="${alignment}"`;
      return `<${attributes}>${renderSpans(cell, words)}</${tag.slice(0, 2)}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  };
  const body = rows.length === 0 ? '' : `<tbody>${rows.map((row) => renderRow(row, 'td')).join('')}</tbody>`;
  return `<div class="table" role="group" aria-label="${escapeHtml(getRowText(head))}" tabindex="0"><table dir="auto"><thead>${renderRow(head, 'th scope="col"')}</thead>${body}</table></div>`;
}

function renderItem({ number, dash, blocks }: ListItem, words: MarkupLabels): string {
  const value = number === null ? '' : ` value="${number}"`;
  // Keep the dash: it may introduce direct speech.
  const begin = dash ? '<li class="dash" dir="auto">– ' : `<li dir="auto"${value}>`;
  return `${begin}${renderInnerBlocks(blocks, words)}</li>`;
}

function renderSpans(spans: readonly Span[], words: MarkupLabels): string {
  return spans.map((span) => renderSpan(span, words)).join('');
}

function renderSpan(span: Span, words: MarkupLabels): string {
  switch (span.kind) {
    case 'text':
      return escapeHtml(span.text);
    case 'code':
      return `<code>${escapeHtml(span.text)}</code>`;
    case 'action':
      return `<em>${renderSpans(span.spans, words)}</em>`;
    case 'stress':
      return `<strong>${renderSpans(span.spans, words)}</strong>`;
    case 'strike':
      return `<s>${renderSpans(span.spans, words)}</s>`;
    case 'speech':
      return renderSpans(span.spans, words);
    case 'picture': {
      // Loading an external picture would reveal the reader to its server.
      const template = span.text.trim() === '' ? words.picture : words.pictureNamed;
      return `<i>[${escapeHtml(template.replace('{{text}}', () => span.text))}]</i>`;
    }
    case 'link': {
      const host = span.host === undefined ? '' : ` <bdi>(${escapeHtml(span.host)})</bdi>`;
      return `<a href="${escapeHtml(span.href)}" rel="noopener noreferrer nofollow">${renderSpans(span.spans, words)}</a>${host}`;
    }
  }
}
