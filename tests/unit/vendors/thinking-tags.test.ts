import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ThinkingParser } from '../../../src/vendors/thinking-tags.ts';
import { splitAt } from '../../support/split-at.ts';

/** Reads a reply in pieces; text that was retracted is not part of the result. */
function readPieces(pieces: readonly string[]) {
  const parser = new ThinkingParser();
  let [text, thinking] = ['', ''];
  for (const read of [...pieces.map((piece) => parser.push(piece)), parser.end()]) {
    text = (read.isRetracted ? '' : text) + read.text;
    thinking += read.thinking;
  }
  return { text, thinking, isOver: parser.isOver };
}

const THINKING = [
  ['a tag', '<think>secret plan</think>Welcome.', 'Welcome.'],
  ['a tag in capitals', '<THINK>secret plan</THINK>Welcome.', 'Welcome.'],
  ['thinking', '<thinking>secret plan</thinking>Welcome.', 'Welcome.'],
  ['thought', '<thought>secret plan</thought>\nWelcome.', '\nWelcome.'],
  ['reasoning', '<reasoning>secret plan</reasoning>Welcome.', 'Welcome.'],
  ['Seed', '<seed:think>secret plan</seed:think>Welcome.', 'Welcome.'],
  ['Kimi', '◁think▷secret plan◁/think▷Welcome.', 'Welcome.'],
  ['Magistral', '[THINK]secret plan[/THINK]Welcome.', 'Welcome.'],
  ['Command A', '<|START_THINKING|>secret plan<|END_THINKING|>Welcome.', 'Welcome.'],
  ['Gemma', '<|channel>thoughtsecret plan<channel|>Welcome.', 'Welcome.'],
  [
    'gpt-oss',
    '<|channel|>analysis<|message|>secret plan<|end|><|start|>assistant<|channel|>final<|message|>Welcome.<|return|>',
    'Welcome.',
  ],
  ['a closing tag alone', 'secret plan</think>\n\nWelcome.', '\n\nWelcome.'],
  ['a tag that is not closed', '<think>secret plan', ''],
  ['a tag after text', 'Wel<think>secret plan</think>come.', 'Welcome.'],
  ['an end mark in thinking', '<think>secret plan<|im_end|>Welcome.', ''],
] as const;

describe('Thinking in a reply', () => {
  test.each(THINKING)('thinking is separated from the text: %s', (_, reply, text) => {
    expect(readPieces([reply])).toMatchObject({ text, thinking: 'secret plan' });
  });

  test.each([
    '</s>',
    '<|im_end|>\n<|im_start|>user\nhello',
    '<|eot_id|>',
    '<end_of_turn>\n<start_of_turn>user',
    '<｜end▁of▁sentence｜>',
    '<|end|>',
    '[/INST] more',
  ])('the text ends at the mark %s', (mark) => {
    expect(readPieces([`Welcome.${mark}`])).toEqual({ text: 'Welcome.', thinking: '', isOver: true });
  });

  test.each([
    'a < b and <b>, <3, [1] and [thing]',
    'Write `<think>` and `</think>`.',
    'It is <s>late</s> early.',
    '<thin',
    '< think>x</ think>',
    'The tag <|im_end',
    '◁ and ◁thin',
  ])('a text without these marks stays as it is: %s', (text) => {
    expect(readPieces([text])).toEqual({ text, thinking: '', isOver: false });
  });

  test('a second closing tag retracts no text', () => {
    expect(readPieces(['<think>a</think>One ', 'two</think> three'])).toMatchObject({
      text: 'One two three',
      thinking: 'a',
    });
  });

  test('only text that was given before is retracted', () => {
    const parser = new ThinkingParser();
    expect(parser.push('plan</think>Yes')).toEqual({ text: 'Yes', thinking: 'plan', isRetracted: false });
    const late = new ThinkingParser();
    late.push('pl');
    expect(late.push('an</think>Yes')).toEqual({ text: 'Yes', thinking: 'plan', isRetracted: true });
  });

  test('any splitting into pieces gives the same text and thinking', () => {
    const words = fc.constantFrom(
      'Welcome ',
      '\n\n',
      '`',
      '<',
      '<think>',
      '</think>',
      '<thinking>',
      '</thinking>',
      '<|channel|>analysis<|message|>',
      '<|end|>',
      '<|start|>assistant',
      '<|channel|>final<|message|>',
      '◁think▷',
      '◁/think▷',
      '<s>',
      '</s>',
      '<|im_end|>',
      '🐉',
    );
    const reply = fc.array(fc.oneof(words, fc.string({ maxLength: 6 })), { maxLength: 12 });
    fc.assert(
      fc.property(reply, fc.array(fc.nat({ max: 200 }), { maxLength: 30 }), (parts, places) => {
        const text = parts.join('');
        expect(readPieces(splitAt(text, places))).toEqual(readPieces([text]));
      }),
      { numRuns: 1000 },
    );
  });

  test('no character outside the marks is lost', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !/[<◁[]/.test(text)),
        (text) => {
          expect(readPieces([...text]).text).toBe(text);
        },
      ),
    );
  });
});
