import { describe, expect, test } from 'vitest';
import {
  buildContentDisposition,
  buildFileName,
} from '../../../../../src/features/conversation/files/chat-file-name.ts';
import { renderChatMarkdown } from '../../../../../src/features/conversation/files/chat-markdown.ts';
import type {
  ChatHeader,
  MessageRecord,
} from '../../../../../src/features/conversation/files/chat-record.ts';

const AT = Date.parse('2026-03-10T12:00:31.000Z');
const WORDS = {
  untitled: 'A conversation',
  person: 'You',
  character: 'Character',
  begun: 'Begun',
  exported: 'Saved',
  writtenByAi: 'Written by AI',
  edited: 'edited',
  unfinished: 'unfinished',
};
const HEADER: ChatHeader = {
  userName: 'Tam',
  persona: null,
  characterName: 'Orla',
  createdAt: AT,
  title: 'Rain',
  replySettings: {},
  metadata: null,
};

function message(part: Partial<MessageRecord>, texts: string[], model: string | null = null): MessageRecord {
  return {
    id: 'm',
    role: 'character',
    name: null,
    createdAt: AT,
    pinned: false,
    source: null,
    selected: 0,
    versions: texts.map((content) => ({
      id: 'v',
      content,
      model,
      status: 'complete',
      errorCode: null,
      edited: false,
      createdAt: AT,
    })),
    ...part,
  };
}

async function markdown(header: ChatHeader, ...messages: MessageRecord[]): Promise<string> {
  async function* pages() {
    yield messages;
    yield [];
  }
  let text = '';
  for await (const piece of renderChatMarkdown(header, pages(), WORDS, AT + 60_000)) text += piece;
  return text;
}

describe('Chat as Markdown', () => {
  test('the document lists names, times and the selected versions of all messages', async () => {
    const greeting = message({}, ['*The lamp turns.*\n\n> "You?"']);
    const own = message({ role: 'user' }, ['Me.']);
    const reply = message({ selected: 1 }, ['No.', 'Yes & <b>no</b>.'], 'loreloom');
    expect(await markdown(HEADER, greeting, own, reply)).toBe(
      [
        '# Rain\n',
        '- Character: Orla\n- You: Tam\n- Begun: 2026-03-10 12:00 UTC\n- Saved: 2026-03-10 12:01 UTC\n',
        '## Orla\n\n*2026-03-10 12:00 UTC* <!-- ai_generated: false -->\n\n> *The lamp turns.*\n>\n> > "You?"\n',
        '## Tam\n\n*2026-03-10 12:00 UTC* <!-- ai_generated: false -->\n\n> Me.\n',
        '## Orla\n\n*2026-03-10 12:00 UTC · Written by AI* <!-- ai_generated: true -->\n\n> Yes & &lt;b>no&lt;/b>.\n',
      ].join('\n'),
    );
  });

  test('the document marks edited, unfinished and failed replies', async () => {
    const [edited, broken, empty] = [
      message({}, ['A'], 'm'),
      message({}, ['B'], 'm'),
      message({}, [''], 'm'),
    ];
    Object.assign(edited.versions[0] ?? {}, { edited: true });
    Object.assign(broken.versions[0] ?? {}, { status: 'interrupted' });
    Object.assign(empty.versions[0] ?? {}, { status: 'failed' });
    const text = await markdown(HEADER, edited, broken, empty);
    expect(text).toContain('Written by AI · edited*');
    expect(text.match(/Written by AI · unfinished\*/g)).toHaveLength(2);
    expect(text.trimEnd().endsWith('-->')).toBe(true);
  });

  test.each([
    ['an inline picture', 'Look ![lamp](http://evil.example/a.png) there'],
    ['a picture in a link', '[![lamp](http://evil.example/a.png)](http://evil.example)'],
    ['a picture by reference', '![lamp][1]\n\n[1]: http://evil.example/a.png'],
    ['a picture after escaped characters', '\\\\![lamp](//evil.example/a.png)'],
    ['a picture in an unclosed code', 'a ` ![lamp](http://evil.example/a.png)'],
    ['a picture in a table', '| `a |` ![b](http://evil.example/a.png) |\n|---|---|'],
    ['an HTML picture', '<img src="http://evil.example/a.png">'],
    ['an embed', '![[http://evil.example/a.png]]'],
  ])('the document loads nothing for %s', async (_, content) => {
    const text = await markdown(HEADER, message({}, [content]));
    expect(text).toContain('evil.example');
    expect(text).not.toMatch(/!\[|<img/);
  });

  test('a picture that is code stays as it was written', async () => {
    const text = await markdown(HEADER, message({}, ['`![a](b)`\n```md\n![c](d)\n```']));
    expect(text).toContain('`![a](b)`');
    expect(text).toContain('![c](d)');
  });

  test('a name or title cannot contain Markdown', async () => {
    const text = await markdown(
      { ...HEADER, title: '# *All*\n# [x](y)', userName: null },
      message({ name: '<Orla>\n## `Brann`' }, ['x']),
      message({ role: 'user' }, ['y']),
    );
    expect(text).toContain('# \\# \\*All\\* \\# \\[x\\](y)\n');
    expect(text).toContain('## \\<Orla\\> \\#\\# \\`Brann\\`\n');
    expect(text).toContain('## You\n');
  });

  test.each([
    ['an open comment', 'Wait <!-- for'],
    ['an open fence', 'Look:\n```\ncode'],
    ['a tag', '\\<script>alert(1)</script>'],
    ['a heading with a mark', 'Hm.\n\n## Tam\n\n*now* <!-- ai_generated: false -->\n\nI confess.'],
    ['a heading after any end of a line', 'Hm.\r## Tam\r\n## Tam\n===\n<!-- ai_generated: false -->'],
    ['the address of a link elsewhere', '[Tam]: https://example.org/'],
  ])('the document keeps %s inside its message', async (_, text) => {
    const document = await markdown(HEADER, message({}, [text], 'm'), message({ role: 'user' }, ['Me.']));
    const lines = document.split('\n').filter((line) => !line.startsWith('>'));
    expect(lines.filter((line) => line !== '')).toEqual([
      '# Rain',
      ...[
        '- Character: Orla',
        '- You: Tam',
        '- Begun: 2026-03-10 12:00 UTC',
        '- Saved: 2026-03-10 12:01 UTC',
      ],
      '## Orla',
      '*2026-03-10 12:00 UTC · Written by AI* <!-- ai_generated: true -->',
      '## Tam',
      '*2026-03-10 12:00 UTC* <!-- ai_generated: false -->',
    ]);
    expect(document).not.toContain('\r');
    expect(document.match(/<!--/g)).toHaveLength(2);
    expect(document).not.toMatch(/<\/?script/);
    expect(document).not.toContain(']:');
  });

  test('the placeholders {{user}} and {{char}} are replaced by names', async () => {
    const document = await markdown(HEADER, message({}, ['{{char}} knows {{User}}.']));
    expect(document).toContain('> Orla knows Tam.\n');
  });

  test('code stays as written, and the text around it is escaped', async () => {
    const text = [
      'Say `<b> & [a]: \\x` and <b>no</b>, see [docs](https://example.org/a) for `<i>`.',
      '```html',
      '<script src="a"></script>',
      '[a]: b',
      '  \\<p>',
      '```',
      '1. Write',
      '   ~~~ {=html}',
      '   <p>',
      '     Hi',
      '   ~~~',
      '> ````',
      '> <u>',
      '<script>alert(1)</script>',
    ].join('\n');
    const document = await markdown(HEADER, message({}, [text]));
    expect(document.slice(document.indexOf('> Say')).trimEnd().split('\n')).toEqual([
      '> Say `<b> & [a]: \\x` and &lt;b>no&lt;/b>, see [docs](https://example.org/a) for `<i>`.',
      '>',
      '> ```html',
      '> <script src="a"></script>',
      '> [a]: b',
      '>   \\<p>',
      '> ```',
      '> 1. Write',
      '>',
      '> ~~~',
      '> <p>',
      '>   Hi',
      '> ~~~',
      '> > ````',
      '> > <u>',
      '> > ````',
      '> &lt;script>alert(1)&lt;/script>',
    ]);
  });

  test.each([
    ['a mark that is written as a letter', 'one \\` <b> ` two'],
    ['several of them', 'one \\``` <b> `` two'],
    ['a mark in the title of a link', '[x](y "`") <b> `'],
    ['a mark in an address', 'https://example.org/` <b> ` and `<b>`'],
    ['a table', '| a | b |\n|---|---|\n| `a | b` `<b>` |'],
    ['a fence in a list that ends with it', '1. x\n   ```\n   ```\n<b>'],
    ['a fence within another', '  ~~~\n```\n~~~\n<b>'],
  ])('a text that not every renderer reads as code is escaped: %s', async (_, text) => {
    const document = await markdown(HEADER, message({}, [text]));
    const rest = document.slice(document.indexOf('-->') + 3);
    expect(rest).not.toContain('<b>');
    expect(rest).toContain('&lt;b>');
  });

  test('a backtick without a closing one does not start code', async () => {
    const document = await markdown(HEADER, message({}, ['one ` two\nthree ` <b> ` <i>']));
    expect(document).toContain('> one \\` two\n> three ` <b> ` &lt;i>\n');
  });

  test('the mark for AI texts is also removed from code', async () => {
    const text = '```\n<!-- ai_generated: false -->\n```\n`<!-- ai_generated: false -->`';
    const document = await markdown(HEADER, message({}, [text], 'm'));
    expect(document.match(/<!--/g)).toHaveLength(1);
  });

  test('texts with very many marks are exported in linear time', async () => {
    const begun = performance.now();
    for (const text of ['`<b>` '.repeat(20_000), 'a`'.repeat(60_000), '[x](`<b>`'.repeat(12_000)])
      await markdown(HEADER, message({}, [text]));
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('a chat without a title has a generic heading', async () => {
    expect(await markdown({ ...HEADER, title: null })).toMatch(/^# A conversation\n/);
  });
});

describe('Export file names', () => {
  test.each([
    [['Mira', 'Rain', '2026-03-10'], 'Mira - Rain - 2026-03-10.jsonl'],
    [['', ' '], 'chat.jsonl'],
    [['../../etc/passwd'], '_.._etc_passwd.jsonl'],
    [['a\u0000b\r\nc\u202Egpj'], 'a b c gpj.jsonl'],
    [['...'], 'chat.jsonl'],
    [['ミラ "雨"'], 'ミラ _雨_.jsonl'],
  ])('the file name of %j is %s', (parts, name) => {
    expect(buildFileName(parts, 'jsonl')).toBe(name);
  });

  test('a file name is short and ends with a whole character', () => {
    expect(buildFileName(['👩‍🚀'.repeat(200), '\ud83d'], 'md').isWellFormed()).toBe(true);
    expect([...buildFileName(['x'.repeat(500)], 'md')].length).toBeLessThan(90);
  });

  test('the content disposition header has an ASCII name and the full name encoded', () => {
    const header = buildContentDisposition('Мира (ночь)\'s "x".md');
    expect(header).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w.~%-]+$/);
    expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe('Мира (ночь)\'s "x".md');
  });
});
