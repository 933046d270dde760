/** The canonical address of a chat; the offline copy of its page is cached under it. */
export function buildChatHref({ id, character_id }: { id: string; character_id: string }): string {
  return `/character/${encodeURIComponent(character_id)}?${new URLSearchParams({ conversation_id: id })}`;
}

/**
 * A link from a chat list. It carries the name and picture of the character (docs/product.md), so that the page can show
 * them before its data has loaded.
 */
export function buildChatLink(chat: {
  id: string;
  character_id: string;
  character_name: string;
  avatar_url: string;
}): string {
  const cardParams = new URLSearchParams({ name: chat.character_name, avatar_url: chat.avatar_url });
  return `${buildChatHref(chat)}&${cardParams}`;
}
