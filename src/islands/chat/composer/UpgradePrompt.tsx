import { isQuotaExceeded } from '../scroll/quota-refusals.ts';
import { useLazyComponent } from '../use-lazy-component.ts';

const loadLink = async () => (await import('./UpgradeLink.tsx')).UpgradeLink;

/** Links to memberships after a refusal for lack of points or a daily limit; renders nothing for other codes. */
export function UpgradePrompt({ code }: { code: string }) {
  const Link = useLazyComponent(loadLink, isQuotaExceeded(code));
  return Link && <Link code={code} />;
}
