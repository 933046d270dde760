import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../src/config/languages.ts';
import { detectLanguage } from '../../../src/locales/detect-language.ts';
import { isTest, readTexts } from '../../../scripts/safety/data.ts';
import { readCountedMessages } from '../../support/counted-messages.ts';

const PARAGRAPH = 5;

describe.each(LANGUAGES)('Texts in the language %s', (language) => {
  const messages = readCountedMessages(language).map(([text]) => text);
  const paragraphs = Array.from({ length: Math.floor(messages.length / PARAGRAPH) }, (_, index) =>
    messages.slice(index * PARAGRAPH, (index + 1) * PARAGRAPH).join(' '),
  );

  test.each<Language>(['en', 'es', 'ja', 'ru'])(
    'paragraphs are recognized in an interface in %s',
    (uiLanguage) => {
      const missed = paragraphs.filter((text) => detectLanguage(text, uiLanguage) !== language);
      expect(missed.length / paragraphs.length).toBeLessThan(0.03);
    },
  );
});

describe('Sentences of the test batches', () => {
  const harmless = readTexts().filter(
    (text) => isTest(text) && text.labels.length === 0 && text.register !== 'mixed',
  );

  test.each(LANGUAGES)('at least 85 % of those in the language %s are recognized', (language) => {
    const texts = harmless.filter((text) => text.language === language);
    const uiLanguage = language === 'en' ? 'de' : 'en';
    const found = texts.filter(({ text }) => detectLanguage(text, uiLanguage) === language);
    expect(texts.length).toBeGreaterThan(300);
    expect(found.length / texts.length).toBeGreaterThan(0.85);
  });
});

describe('Texts without common words', () => {
  test.each(['', 'Mira.', '1234', '{{user}} {{char}}'])('%j is in the language of the interface', (text) => {
    expect(detectLanguage(text, 'pl')).toBe('pl');
    expect(detectLanguage(text, 'en')).toBe('en');
  });

  test('macros and tags of cards do not make a text English', () => {
    expect(detectLanguage('<START>\n{{user}}: Hola, {{random:the,and}} ¿qué es esto en la casa?', 'de')).toBe(
      'es',
    );
  });
});
