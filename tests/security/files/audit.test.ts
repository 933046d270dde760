import { describe, expect, test } from 'vitest';
import { audited } from '../../../scripts/security/audit.mjs';

/** An answer of the registry, as npm prints it. */
const answer = (holes: Record<string, string>): string =>
  `npm warn config something\n${JSON.stringify({
    vulnerabilities: Object.fromEntries(
      Object.entries(holes).map(([name, severity]) => [name, { name, severity }]),
    ),
    metadata: { vulnerabilities: { total: Object.keys(holes).length } },
  })}\n`;

/** Asks a registry that knows of holes in the product and in tools. */
async function asked(product: Record<string, string>, tools: Record<string, string>) {
  const said: string[] = [];
  const ask = async (args: string[]) => ({
    output: answer(args.includes('--omit=dev') ? product : { ...product, ...tools }),
  });
  const result = await audited({ isRequired: true, ask, say: (text: string) => void said.push(text) });
  return { ...result, said: said.join('\n') };
}

describe('What is known of holes in what the product is built from', () => {
  test('fails the run where one in the product is high or critical, and names it', async () => {
    const found = await asked({ swung: 'critical', ajar: 'high', worn: 'low' }, {});
    expect(found).toMatchObject({ status: 'failed', why: 'swung (critical), ajar (high)' });
  });

  test('is told and fails nothing where thirty days are given: lesser ones in the product', async () => {
    const found = await asked({ worn: 'moderate', thin: 'low' }, {});
    expect(found).toMatchObject({ status: 'passed', why: '' });
    expect(found.said).toMatch(/thirty days, in the product: worn \(moderate\), thin \(low\)/);
  });

  test('is told and fails nothing where thirty days are given: any in what builds and tests it', async () => {
    const found = await asked({ worn: 'moderate' }, { builder: 'critical', tester: 'moderate' });
    expect(found.status).toBe('passed');
    expect(found.said).toMatch(/what builds and tests it: builder \(critical\), tester \(moderate\)/);
  });

  test('is nothing to be told where there is none', async () => {
    expect(await asked({}, {})).toMatchObject({ status: 'passed', said: '' });
  });

  test('is not said to be nothing where the registry does not answer', async () => {
    const ask = async () => ({ output: '{ "message": "405 Method Not Allowed", "error": {} }' });
    const say = () => {};
    expect(await audited({ isRequired: true, ask, say })).toMatchObject({ status: 'failed' });
    expect(await audited({ isRequired: false, ask, say })).toMatchObject({ status: 'skipped' });
  });
});
