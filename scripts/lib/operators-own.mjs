/** What people set in their shell and the Worker reads; README.md names each. */
const PASSED_ON =
  /^(?:MODEL_(?:ROLEPLAY|CHATGPT|DEEPSEEK|MISTRAL)_|PAYPAL_|GOOGLE_|CACHE_PURGE_|MODERATION_|AGE_CHECK(?:_|$)|ADMIN_EMAILS$|MAIL_FROM$|RATE_LIMITS$|GA_MEASUREMENT_ID$|SUPPORT_EMAIL$|SITE_URL$|COMMUNITY_LINKS$|SPICY_MODE$)/;

/**
 * Of a shell's variables those that are the operator's own, for the Worker.
 * @param {Record<string, string | undefined>} shell
 * @returns {Record<string, string>}
 */
export function operatorsOwn(shell) {
  return Object.fromEntries(Object.entries(shell).filter(([name]) => PASSED_ON.test(name)));
}
