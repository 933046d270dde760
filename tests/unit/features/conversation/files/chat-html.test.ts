import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  renderChatHtml,
  type ChatPageLabels,
} from '../../../../../src/features/conversation/files/chat-html.ts';
import type {
  ChatHeader,
  MessageRecord,
} from '../../../../../src/features/conversation/files/chat-record.ts';
import { renderMarkupHtml } from '../../../../../src/features/markup/markup-html.ts';

const WORDS = new Proxy({ language: 'en' } as unknown as ChatPageLabels, {
  get: (words, key) =>
    key === 'language' ? words.language : key === 'pictureNamed' ? 'P {{text}}' : String(key),
});
const AT = Date.UTC(2026, 2, 10, 12);

function message(part: Partial<MessageRecord>, ...texts: string[]): MessageRecord {
  return {
    id: 'm',
    role: 'character',
    name: null,
    createdAt: AT,
    pinned: false,
    source: null,
    selected: 0,
    versions: texts.map((content, index) => ({
      id: `v${index}`,
      content,
      model: 'loreloom',
      status: 'complete',
      errorCode: null,
      edited: false,
      createdAt: AT,
    })),
    ...part,
  };
}

function page(...messages: MessageRecord[]): Promise<string> {
  return renderPage({}, messages);
}

async function renderPage(
  replySettings: ChatHeader['replySettings'],
  messages: MessageRecord[],
): Promise<string> {
  async function* pages() {
    yield messages;
  }
  async function* none() {
    yield [];
  }
  const header = {
    userName: 'Tam',
    persona: null,
    characterName: 'Orla',
    createdAt: AT,
    title: null,
    replySettings,
    metadata: null,
  };
  let html = '';
  for await (const piece of renderChatHtml(
    { header, persona: null, notes: [], asked: [], keptUntil: null, now: AT },
    pages(),
    none(),
    WORDS,
  ))
    html += piece;
  return html;
}

/** The elements that a text may become; texts set no attributes except link addresses and list numbers. */
const ALLOWED =
  /<(?:\/?(?:p|b|i|em|strong|s|table|thead|tbody|tr|th|td|div|code|pre|blockquote|ul|ol|li|bdi|a)|p dir="auto"|p class="plain" dir="auto"|li(?: class="dash")? dir="auto"(?: value="\d+")?|blockquote dir="auto"|pre dir="auto" tabindex="0"|hr|table dir="auto"|th scope="col"(?: class="end")?|td class="end"|div class="table" role="group" aria-label="[^"<>]*" tabindex="0"|a href="[^"<>]*" rel="noopener noreferrer nofollow")>/g;

describe('Chat as a web page', () => {
  test('the markup of messages is rendered as HTML', () => {
    expect(
      renderMarkupHtml(
        '*She nods.* "**Yes**," & `x < y`\n\n1. one\n> said\n- [there](https://a.test/?q="1"&r)',
        WORDS,
      ),
    ).toBe(
      '<p dir="auto"><em>She nods.</em> &quot;<strong>Yes</strong>,&quot; &amp; <code>x &lt; y</code></p>' +
        '<ol><li dir="auto" value="1">one</li></ol><blockquote dir="auto">said</blockquote>' +
        '<ul><li class="dash" dir="auto">– <a href="https://a.test/?q=%221%22&amp;r" rel="noopener noreferrer nofollow">there</a></li></ul>',
    );
    expect(renderMarkupHtml('![$&<b>](https://a.test/x.png)', WORDS)).toBe(
      '<p dir="auto"><i>[P $&amp;&lt;b&gt;]</i></p>',
    );
    expect(renderMarkupHtml('*a\n\nb* ~~c~~', WORDS)).toBe(
      '<p dir="auto"><em>a</em></p><p dir="auto"><em>b</em> <s>c</s></p>',
    );
    // A table wider than the screen can be focused, so that it scrolls by keyboard.
    expect(renderMarkupHtml('| a & | b |\n|---|--:|\n| <i> | *2* |', WORDS)).toBe(
      '<div class="table" role="group" aria-label="a &amp;, b" tabindex="0"><table dir="auto">' +
        '<thead><tr><th scope="col">a &amp;</th><th scope="col" class="end">b</th></tr></thead>' +
        '<tbody><tr><td>&lt;i&gt;</td><td class="end"><em>2</em></td></tr></tbody></table></div>',
    );
    // A code block wider than the screen can be focused, so that it scrolls by keyboard.
    expect(renderMarkupHtml('```\n<b>\n```', WORDS)).toBe(
      '<pre dir="auto" tabindex="0"><code>&lt;b&gt;</code></pre>',
    );
  });

  test('any text stays text and never becomes an element or attribute', () => {
    const parts = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '<script>',
      '</p>',
      '<!--',
      'javascript:',
      '[',
      '](',
      ')',
      '*',
      '`',
      '```',
      '~~',
      '|',
      '\n|a|b|\n|-|-:|\n|',
      '\n',
      '> ',
      '- ',
      'http://a.test/',
      ' onload=',
      '\u202E',
      '\uD800',
      'a',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (pieces) => {
        const rest = renderMarkupHtml(pieces.join(''), WORDS).replaceAll(ALLOWED, '');
        expect(rest).not.toMatch(/[<>"']/);
        expect(rest.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('the page marks texts of a model for readers and programs, and folds the other versions', async () => {
    const html = await page(
      message({ role: 'user' }, 'Mine, {{char}}.'),
      message({ pinned: true, selected: 1 }, 'First.', 'Second.'),
    );
    expect(html).toContain('Mine, Orla.');
    expect(html.indexOf('Second.')).toBeLessThan(html.indexOf('<details><summary>otherVersions'));
    expect(html.indexOf('First.')).toBeGreaterThan(html.indexOf('<details><summary>otherVersions'));
    expect(html.match(/data-ai-generated="true"/g)).toHaveLength(3);
    expect(html).toContain('writtenByAi · pinned');
    expect(html).not.toMatch(/<script|<img|<link/);
  });

  test('the page has the reply settings that differ from the default, and the note of each version', async () => {
    const html = await renderPage(
      { author_note: 'It <rains>.', author_note_depth: 3, reply_length: 800, liveliness: 'lively' },
      [],
    );
    expect(html).toContain('<summary>authorNote</summary><p class="plain" dir="auto">It &lt;rains&gt;.</p>');
    expect(html).toContain(
      '<summary>replySettings</summary><dl><dt>noteDepth</dt><dd dir="auto">3</dd>' +
        '<dt>replyWords</dt><dd dir="auto">800</dd><dt>liveliness</dt><dd dir="auto">liveliness_lively</dd></dl>',
    );
    expect(await renderPage({ reply_length: 'short', liveliness: 0 }, [])).toContain(
      '<dt>replyLength</dt><dd dir="auto">replyLength_short</dd><dt>temperature</dt><dd dir="auto">0</dd>',
    );
    const reply = message({}, 'First.', 'Second.');
    const [first, second] = reply.versions;
    const versions = [first, { ...second, regenerateNote: 'Shorter, & angry' }] as MessageRecord['versions'];
    const noted = await page({ ...reply, versions, selected: 1 });
    expect(noted.match(/regenerateNote/g)).toHaveLength(1);
    expect(noted.indexOf('Shorter, &amp; angry')).toBeLessThan(noted.indexOf('otherVersions'));
    expect(noted).not.toContain('replySettings');
  });
});
