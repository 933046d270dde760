import { useChatField } from '../chat-context.ts';
import { createLazyComponent } from '../LazyComponent.tsx';

const Offer = createLazyComponent(async () => (await import('./VersionOffer.tsx')).VersionOffer);

/**
 * Says that the character has changed since the conversation began, and lets the user switch to the new version or
 * dismiss it.
 */
export function NewerVersion() {
  const conversation = useChatField('conversation');
  const newer = conversation?.newer_version ?? null;
  if (!conversation || newer === null) return null;
  const { id, character_name: name } = conversation;
  return <Offer key={`${id} ${newer}`} conversationId={id} version={newer} name={name} />;
}
