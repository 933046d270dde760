import { describe, expect, test } from 'vitest';
import { audited } from '../../../scripts/security/audit.mjs';

/** Returns the output of `npm audit` with these vulnerabilities. */
const buildAuditOutput = (vulnerabilities: Record<string, string>): string =>
  `npm warn config something\n${JSON.stringify({
    vulnerabilities: Object.fromEntries(
      Object.entries(vulnerabilities).map(([name, severity]) => [name, { name, severity }]),
    ),
    metadata: { vulnerabilities: { total: Object.keys(vulnerabilities).length } },
  })}\n`;

/** Runs the audit against a registry with these vulnerabilities in the product and its tools. */
async function runAudit(product: Record<string, string>, tools: Record<string, string>) {
  const messages: string[] = [];
  const ask = async (args: string[]) => ({
    output: buildAuditOutput(args.includes('--omit=dev') ? product : { ...product, ...tools }),
  });
  const result = await audited({ isRequired: true, ask, say: (text: string) => void messages.push(text) });
  return { ...result, said: messages.join('\n') };
}

describe('Dependency audit', () => {
  test('a high or critical vulnerability in the product fails the audit and is named', async () => {
    const found = await runAudit({ swung: 'critical', ajar: 'high', worn: 'low' }, {});
    expect(found).toMatchObject({ status: 'failed', why: 'swung (critical), ajar (high)' });
  });

  test('a lesser vulnerability in the product is reported and passes, with thirty days to fix it', async () => {
    const found = await runAudit({ worn: 'moderate', thin: 'low' }, {});
    expect(found).toMatchObject({ status: 'passed', why: '' });
    expect(found.said).toMatch(/thirty days, in the product: worn \(moderate\), thin \(low\)/);
  });

  test('a vulnerability in a development tool is reported and passes', async () => {
    const found = await runAudit({ worn: 'moderate' }, { builder: 'critical', tester: 'moderate' });
    expect(found.status).toBe('passed');
    expect(found.said).toMatch(/what builds and tests it: builder \(critical\), tester \(moderate\)/);
  });

  test('an audit without vulnerabilities reports nothing', async () => {
    expect(await runAudit({}, {})).toMatchObject({ status: 'passed', said: '' });
  });

  test('an audit without an answer fails where it is required and is skipped elsewhere', async () => {
    const ask = async () => ({ output: '{ "message": "405 Method Not Allowed", "error": {} }' });
    const say = () => {};
    expect(await audited({ isRequired: true, ask, say })).toMatchObject({ status: 'failed' });
    expect(await audited({ isRequired: false, ask, say })).toMatchObject({ status: 'skipped' });
  });
});
