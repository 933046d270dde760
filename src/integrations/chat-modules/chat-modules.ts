/** Placeholder that integration.ts replaces after the build; it stays in development. */
export const CHAT_MODULES_PLACEHOLDER = '@@chat-modules@@';

/** Paths of the script files that the chat page needs before the user can write. */
export const CHAT_MODULES: readonly string[] = CHAT_MODULES_PLACEHOLDER.split(' ').filter((path) =>
  path.startsWith('/'),
);
