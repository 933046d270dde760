import { env } from 'cloudflare:workers';
import { readEnvironment } from '../../env/read-environment.ts';
import type { AiNoticeMode } from '../../features/conversation/messages/ai-notice-form.ts';
import type { GoogleSignInConfig } from '../../islands/sign-in/sign-in-state.ts';

/** Operator settings that pages show. */
export interface SiteConfig {
  /** Support address; null if the operator has none. */
  supportEmail: string | null;
  /** The site's communities elsewhere. */
  communityLinks: readonly { name: string; url: string }[];
  /** Measurement id of Google Analytics; null if the operator does not use it. */
  googleAnalyticsId: string | null;
  /** Configuration of Google sign-in; null if the operator has not set it up. */
  googleSignIn: GoogleSignInConfig | null;
  /** Whether memberships are for sale. */
  hasMemberships: boolean;
  /** Address of the payment script; null if memberships are not for sale. */
  paymentScripts: string | null;
  /** How users turn on spicy mode: by declaring their age or by an age check. `off`: the site has no adult content. */
  spicyMode: 'off' | 'declared' | 'checked';
  /** Where the AI notice is in bold capitals. */
  aiNotice: AiNoticeMode;
}

/**
 * Reads the operator's settings.
 * @throws Error naming a missing or invalid variable, like `readEnvironment`
 */
export function readSiteConfig(): SiteConfig {
  const settings = readEnvironment(env);
  const { supportEmail = null, communityLinks, googleAnalyticsId = null, google, ageCheck } = settings;
  return {
    supportEmail,
    communityLinks,
    googleAnalyticsId,
    googleSignIn: google
      ? {
          clientId: google.clientId,
          script: google.script,
          userInfo: google.userInfo,
          page: google.clientSecret !== undefined,
        }
      : null,
    hasMemberships: settings.paypal !== undefined,
    paymentScripts: settings.paypal?.sdkBase ?? null,
    aiNotice: settings.aiNotice,
    spicyMode: settings.spicyMode === 'off' ? 'off' : ageCheck.mode === 'required' ? 'checked' : 'declared',
  };
}

/** Returns the addresses of the staff, whose names get a badge. They are private: no page may show them. */
export const readStaffEmails = (): readonly string[] => readEnvironment(env).adminEmails;
