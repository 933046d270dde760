import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import { readEnvironment } from '../../env/read-environment.ts';
import { buildSecurityContact } from '../../components/data/security-txt.ts';

/** The contact for security reports; 404 if the operator has no support address. */
export function GET({ url }: APIContext): Response {
  const { supportEmail, siteUrl } = readEnvironment(env);
  if (supportEmail === undefined) return new Response(null, { status: 404 });
  const text = buildSecurityContact({ email: supportEmail, origin: siteUrl ?? url.origin, now: Date.now() });
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
