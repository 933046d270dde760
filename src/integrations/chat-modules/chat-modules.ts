/** Stands for the list until integration.ts puts it in, once the build knows it; in development it stays. */
export const CHAT_MODULES_PLACEHOLDER = '@@chat-modules@@';

/** Paths of the files of script that the chat page needs before anyone can write. */
export const CHAT_MODULES: readonly string[] = CHAT_MODULES_PLACEHOLDER.split(' ').filter((path) =>
  path.startsWith('/'),
);
