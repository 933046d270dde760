import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/environment.ts';

const GOOD = { AUTH_SECRET: 'long-enough-to-be-one', MAIL_FROM: 'Us <hello@example.test>' };
const read = (variables: Record<string, string>) => readEnvironment(variables as unknown as Env);

describe('An operator’s variables', () => {
  test('that suffice are two; everything else has a default', () => {
    expect(read(GOOD)).toEqual({
      authSecret: 'long-enough-to-be-one',
      mailFrom: 'Us <hello@example.test>',
      adminEmails: ['admin@localhost.test'],
      rateLimits: 'on',
      models: Object.fromEntries(
        ['roleplay', 'chatgpt', 'deepseek', 'mistral'].map((name) => [
          name,
          { contextTokens: 16_000, idleSeconds: 30 },
        ]),
      ),
    });
  });

  test('of a model are read together', () => {
    const { models } = read({
      ...GOOD,
      MODEL_MISTRAL_BASE_URL: 'http://127.0.0.1:11434/v1',
      MODEL_MISTRAL_API_KEY: 'k',
      MODEL_MISTRAL_MODEL: 'mistral-small',
      MODEL_MISTRAL_LABEL: 'Mine',
      MODEL_MISTRAL_CONTEXT_TOKENS: '8192',
      MODEL_MISTRAL_IDLE_SECONDS: '90',
    });
    expect(models.mistral).toEqual({
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: 'k',
      model: 'mistral-small',
      label: 'Mine',
      contextTokens: 8192,
      idleSeconds: 90,
    });
    expect(models.chatgpt.baseUrl).toBeUndefined();
  });

  test('that are empty count as left out', () => {
    expect(read({ ...GOOD, MODEL_CHATGPT_BASE_URL: '', RATE_LIMITS: '', ADMIN_EMAILS: '' })).toMatchObject({
      rateLimits: 'on',
      adminEmails: ['admin@localhost.test'],
      models: { chatgpt: { contextTokens: 16_000 } },
    });
  });

  test('may name several administrators, in any letters and with blanks between', () => {
    expect(read({ ...GOOD, ADMIN_EMAILS: ' Anna@Example.test, ,bob@example.test,' }).adminEmails).toEqual([
      'anna@example.test',
      'bob@example.test',
    ]);
  });

  test.each([
    ['AUTH_SECRET', { MAIL_FROM: GOOD.MAIL_FROM }],
    ['AUTH_SECRET', { ...GOOD, AUTH_SECRET: 'sHoRtSeCrEt' }],
    ['MAIL_FROM', { AUTH_SECRET: GOOD.AUTH_SECRET }],
    ['RATE_LIMITS', { ...GOOD, RATE_LIMITS: 'sometimes' }],
    ['MODEL_ROLEPLAY_BASE_URL', { ...GOOD, MODEL_ROLEPLAY_BASE_URL: 'no address' }],
    ['MODEL_DEEPSEEK_CONTEXT_TOKENS', { ...GOOD, MODEL_DEEPSEEK_CONTEXT_TOKENS: 'many' }],
    ['MODEL_MISTRAL_IDLE_SECONDS', { ...GOOD, MODEL_MISTRAL_IDLE_SECONDS: '0.01' }],
    ['MODEL_CHATGPT_CONTEXT_TOKENS', { ...GOOD, MODEL_CHATGPT_CONTEXT_TOKENS: '12' }],
  ])(
    'that are missing or wrong are named as the operator wrote them, without their values: %s',
    (name, variables) => {
      let message = '';
      try {
        read(variables as Record<string, string>);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toContain(name);
      for (const value of Object.values(variables)) expect(message).not.toContain(value);
    },
  );

  test('are checked once for each environment, and one that was wrong is checked again', () => {
    const env = { ...GOOD } as unknown as Env;
    expect(readEnvironment(env)).toBe(readEnvironment(env));
    const wrong = {} as Record<string, string>;
    expect(() => read(wrong)).toThrow();
    Object.assign(wrong, GOOD);
    expect(read(wrong).authSecret).toBe(GOOD.AUTH_SECRET);
  });
});
