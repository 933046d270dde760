import { describe, expect, it } from 'vitest';
import { getDefinitionStep } from '../../../../src/components/data/definition-section.ts';

const failWith = (code: string) => ({ ok: false, status: 400, code, error: '' }) as const;

describe('getDefinitionStep', () => {
  it('shows the parts, or says that none is shared', () => {
    const scenario = { text: 'A harbour.', shared: true };
    expect(getDefinitionStep({ ok: true, data: { definition: { scenario } } })).toBe('ready');
    expect(getDefinitionStep({ ok: true, data: { definition: {} } })).toBe('empty');
  });

  it('asks visitors and guests to log in', () => {
    expect(getDefinitionStep(failWith('unauthenticated'))).toBe('sign_in');
    expect(getDefinitionStep(failWith('account_required'))).toBe('sign_in');
  });

  it('distinguishes the failures that a reader can act on from server errors', () => {
    for (const code of ['network', 'too_many_requests', 'not_found'] as const)
      expect(getDefinitionStep(failWith(code))).toBe(code);
    expect(getDefinitionStep(failWith('dependencies_down'))).toBe('server_error');
  });
});
