import { describe, expect, test } from 'vitest';
import { formatFailure } from '../../../../src/islands/shared/errors.ts';
import type { TranslateFn } from '../../../../src/islands/shared/i18n.tsx';
import { createClient, readJson, type Failure } from '../../../../src/islands/shared/api.ts';
import { createTranslator } from '../../../../src/islands/shared/translator.ts';
import { formatFormError } from '../../../../src/islands/character-form/form-messages.ts';
import { formatPersonaError } from '../../../../src/islands/personas/persona-messages.ts';
import create from '../../../../src/locales/en/create.json' with { type: 'json' };
import errors from '../../../../src/locales/en/errors.json' with { type: 'json' };
import { WREN } from '../../../support/form-fields.ts';
import { createFormPage, createFormFailure } from '../../../support/form-fixture.ts';

const words = createTranslator('en', errors) as TranslateFn<'errors'>;
const createWords = createTranslator('en', create) as TranslateFn<'create'>;

const refused: Failure = {
  ...createFormFailure(422, 'text_refused', { oneliner: ['…'] }),
  refused: { rule: 'minors', text: 'the text' },
};

describe('Refused texts', () => {
  test('a refused text is returned with its rule, its text and an appeal token', async () => {
    const client = createClient(async () =>
      Response.json(
        {
          error: 'No.',
          code: 'text_refused',
          rule: 'hate',
          refused_text: 'words',
          appeal_token: 'shown.later',
          fields: { name: ['No.'] },
        },
        { status: 422 },
      ),
    );
    const answer = await readJson(client.personas.$post({ json: { name: 'x', description: 'y' } }));
    expect(answer).toMatchObject({
      ok: false,
      refused: { rule: 'hate', text: 'words', token: 'shown.later' },
      fields: { name: ['No.'] },
    });
  });

  test('a refused text shows the sentence of its rule in forms and with personas', () => {
    const expected = errors.refused_minors;
    expect(formatFailure(refused, words, 'en')).toBe(expected);
    const where = { lang: 'en', required: 5 };
    expect(formatFormError({ what: 'create', failure: refused }, createWords, words, where)).toBe(expected);
    const common = { lang: 'en', common: 'persona_create_failed', limit: 3 } as const;
    expect(formatPersonaError(refused, words, common)).toBe(expected);
  });

  test.each([createFormFailure(0, 'unexpected_error'), createFormFailure(418, 'server_error')])(
    'an unexpected error while saving a character says so: %o',
    (failure) => {
      const sentence = formatFormError({ what: 'update', failure }, createWords, words, {
        lang: 'en',
        required: 5,
      });
      expect(sentence).toBe(create.unexpectedError);
    },
  );

  test('a text that could not be moderated shows its own sentence instead of a server error', () => {
    const unavailable = createFormFailure(503, 'moderation_unavailable');
    const expected = errors.moderation_unavailable;
    const where = { lang: 'en', required: 5 };
    expect(formatFormError({ what: 'create', failure: unavailable }, createWords, words, where)).toBe(
      expected,
    );
    const common = { lang: 'en', common: 'persona_create_failed', limit: 3 } as const;
    expect(formatPersonaError(unavailable, words, common)).toBe(expected);
  });

  test('a refused text stays in the form, marked, and is sent as corrected', async () => {
    for (const failure of [refused, createFormFailure(503, 'moderation_unavailable')]) {
      const { form, server, now } = createFormPage();
      await form.open('ana', null);
      form.write(WREN);
      server.next.push(failure);
      expect(await form.save()).toBeNull();
      expect(now()).toMatchObject({ busy: false, trouble: { failure }, fields: WREN });
      expect(now().refused).toEqual(failure.fields === undefined ? [] : ['oneliner']);
      form.write({ oneliner: 'Mended' });
      expect(await form.save()).toMatchObject({ oneliner: 'Mended' });
      expect(server.made.size).toBe(1);
    }
  });
});
