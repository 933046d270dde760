import { escapeHtml } from '../../lib/html.ts';
import type { Span } from './markup-spans.ts';
import { type Block, type ListItem, storyOf } from './parse-markup.ts';

/** The words in the place of a picture from elsewhere. */
export interface StoryWords {
  picture: string;
  /** With `{{text}}` where the picture's own words stand. */
  pictureNamed: string;
}

/**
 * The text of a message as HTML for a file, with the marks that a message has on the page. Nothing in the text is markup:
 * elements are made here, and every text is escaped.
 */
export function storyHtml(text: string, words: StoryWords): string {
  return blocksHtml(storyOf(text.toWellFormed()).blocks, words);
}

function blocksHtml(blocks: readonly Block[], words: StoryWords): string {
  return blocks.map((block) => blockHtml(block, words)).join('');
}

function blockHtml(block: Block, words: StoryWords): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p dir="auto">${spansHtml(block.spans, words)}</p>`;
    case 'heading':
      // A line of a story, and no part of the page's own outline.
      return `<p dir="auto"><b>${spansHtml(block.spans, words)}</b></p>`;
    case 'quote':
      return `<blockquote dir="auto">${innerHtml(block.blocks, words)}</blockquote>`;
    case 'list': {
      const items = block.items.map((item) => itemHtml(item, words)).join('');
      return block.ordered ? `<ol>${items}</ol>` : `<ul>${items}</ul>`;
    }
    case 'code':
      // With a place for the keyboard: a long line is read by scrolling.
      return `<pre dir="auto" tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
    case 'rule':
      return '<hr>';
    case 'plain':
      return `<p class="plain" dir="auto">${escapeHtml(block.text)}</p>`;
  }
}

/** The first paragraph of an item or a quote stands in it without an element of its own. */
function innerHtml([first, ...rest]: readonly Block[], words: StoryWords): string {
  if (first?.kind !== 'paragraph') return blocksHtml(first === undefined ? rest : [first, ...rest], words);
  return spansHtml(first.spans, words) + blocksHtml(rest, words);
}

function itemHtml({ number, dash, blocks }: ListItem, words: StoryWords): string {
  const value = number === null ? '' : ` value="${number}"`;
  // A dash may be the one before what somebody says: it stays.
  const begin = dash ? '<li class="dash" dir="auto">– ' : `<li dir="auto"${value}>`;
  return `${begin}${innerHtml(blocks, words)}</li>`;
}

function spansHtml(spans: readonly Span[], words: StoryWords): string {
  return spans.map((span) => spanHtml(span, words)).join('');
}

function spanHtml(span: Span, words: StoryWords): string {
  switch (span.kind) {
    case 'text':
      return escapeHtml(span.text);
    case 'code':
      return `<code>${escapeHtml(span.text)}</code>`;
    case 'action':
      return `<em>${spansHtml(span.spans, words)}</em>`;
    case 'stress':
      return `<strong>${spansHtml(span.spans, words)}</strong>`;
    case 'speech':
      return spansHtml(span.spans, words);
    case 'picture': {
      // A picture from elsewhere would tell its server who reads this.
      const told = span.text.trim() === '' ? words.picture : words.pictureNamed;
      return `<i>[${escapeHtml(told.replace('{{text}}', () => span.text))}]</i>`;
    }
    case 'link': {
      const host = span.host === undefined ? '' : ` <bdi>(${escapeHtml(span.host)})</bdi>`;
      return `<a href="${escapeHtml(span.href)}" rel="noopener noreferrer nofollow">${spansHtml(span.spans, words)}</a>${host}`;
    }
  }
}
