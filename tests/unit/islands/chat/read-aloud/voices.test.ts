import { describe, expect, test } from 'vitest';
import { toSpokenSentences } from '../../../../../src/islands/chat/read-aloud/spoken-text.ts';
import {
  getSpokenLanguage,
  groupVoices,
  selectVoice,
} from '../../../../../src/islands/chat/read-aloud/voices.ts';

const createVoice = (voiceURI: string, lang: string, part = {}) => ({
  voiceURI,
  lang,
  name: voiceURI,
  default: false,
  localService: false,
  ...part,
});
const VOICES = [
  createVoice('Anna', 'de-DE', { default: true, localService: true }),
  createVoice('Cloud', 'en-US'),
  createVoice('Daniel', 'en_GB', { localService: true }),
  createVoice('Kyoko', 'ja-JP'),
];

describe('Voices', () => {
  test('the chosen voice of a language is used, else one of the device', () => {
    expect(selectVoice(VOICES, 'en', { en: 'Cloud' })?.name).toBe('Cloud');
    expect(selectVoice(VOICES, 'en', {})?.name).toBe('Daniel');
    expect(selectVoice(VOICES, 'en', { en: 'Gone', de: 'Cloud' })?.name).toBe('Daniel');
    expect(selectVoice(VOICES, 'de', {})?.name).toBe('Anna');
    expect(selectVoice(VOICES, 'hi', {})).toBeUndefined();
  });

  test('voices are listed by language, those of the character first', () => {
    const list = (first: string) =>
      groupVoices(VOICES, first).map(([lang, voices]) => [lang, voices.map(({ name }) => name)]);
    expect(list('ja')).toEqual([
      ['ja', ['Kyoko']],
      ['de', ['Anna']],
      ['en', ['Cloud', 'Daniel']],
    ]);
    expect(list('hi')[0]).toEqual(['de', ['Anna']]);
  });

  test('a text in another script than the character’s is spoken in the language of that script', () => {
    expect(getSpokenLanguage('Guten Abend.', 'de')).toBe('de');
    expect(getSpokenLanguage('こんばんは。', 'de')).toBe('ja');
    expect(getSpokenLanguage('Good evening.', 'ja')).toBe('en');
  });

  test('a message is spoken as plain text', () => {
    const text = '*She turns.* “**Late**, again?” ~~Never.~~\n\n> quoted\n\n***\n\n`x`';
    expect(toSpokenSentences(text, 'en')).toEqual(['She turns.', '“Late, again?”', 'Never.', 'quoted', 'x']);
    expect(toSpokenSentences('…', 'en')).toEqual([]);
  });
});
