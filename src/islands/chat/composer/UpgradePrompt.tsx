import { createLazyComponent } from '../LazyComponent.tsx';
import { isQuotaExceeded } from '../scroll/quota-refusals.ts';

const UpgradeLink = createLazyComponent(async () => (await import('./UpgradeLink.tsx')).UpgradeLink);

/** Links to memberships after a refusal for lack of points or a daily limit; renders nothing for other codes. */
export const UpgradePrompt = ({ code }: { code: string }) =>
  isQuotaExceeded(code) ? <UpgradeLink code={code} /> : null;
