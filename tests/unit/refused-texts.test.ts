import { describe, expect, test } from 'vitest';
import { failureSentence } from '../../src/islands/shared/errors.ts';
import type { Words } from '../../src/islands/shared/i18n.tsx';
import { createClient, dataOf, type Failure } from '../../src/islands/shared/api.ts';
import { reader } from '../../src/islands/shared/translator.ts';
import { formSentence } from '../../src/islands/character-form/sentences.ts';
import { personaSentence } from '../../src/islands/personas/sentences.ts';
import create from '../../src/locales/en/create.json' with { type: 'json' };
import errors from '../../src/locales/en/errors.json' with { type: 'json' };
import { WREN } from '../support/form-fields.ts';
import { page, refusal } from '../support/form-page.ts';

const words = reader('en', errors) as Words<'errors'>;
const createWords = reader('en', create) as Words<'create'>;

const refused: Failure = {
  ...refusal(422, 'text_refused', { oneliner: ['…'] }),
  refused: { rule: 'minors', text: 'the text' },
};

describe('A text that was refused', () => {
  test('comes from the server with its rule and itself, and is read so', async () => {
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
    const answer = await dataOf(client.personas.$post({ json: { name: 'x', description: 'y' } }));
    expect(answer).toMatchObject({
      ok: false,
      refused: { rule: 'hate', text: 'words', token: 'shown.later' },
      fields: { name: ['No.'] },
    });
  });

  test('is told by its rule, in the form and with personas', () => {
    const said = errors.refused_minors;
    expect(failureSentence(refused, words, 'en')).toBe(said);
    const where = { lang: 'en', required: 5 };
    expect(formSentence({ what: 'create', failure: refused }, createWords, words, where)).toBe(said);
    const common = { lang: 'en', common: 'persona_create_failed', limit: 3 } as const;
    expect(personaSentence(refused, words, common)).toBe(said);
  });

  test('that nobody could look at is told as that, and not as a fault of the server', () => {
    const unseen = refusal(503, 'moderation_unavailable');
    const said = errors.moderation_unavailable;
    const where = { lang: 'en', required: 5 };
    expect(formSentence({ what: 'create', failure: unseen }, createWords, words, where)).toBe(said);
    const common = { lang: 'en', common: 'persona_create_failed', limit: 3 } as const;
    expect(personaSentence(unseen, words, common)).toBe(said);
  });

  test('stays in the form, marked where it stands; mended, it is sent as it is then', async () => {
    for (const failure of [refused, refusal(503, 'moderation_unavailable')]) {
      const { form, server, now } = page();
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
