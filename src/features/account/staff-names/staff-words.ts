import { BRAND } from '../../../config/brand.ts';

/*
 * The words by which a name appears to belong to the site's staff, in the languages of the site. Ordinary given names and
 * surnames are left out, even where the word also has a meaning here: Dev, Mod, Resmi, Staf, Tim.
 */

/** Refused as a word of a name. */
export const STAFF_TITLES: readonly string[] = [
  ...['admin', 'admins', 'administrator', 'administrators', 'administration', 'superadmin', 'sysadmin'],
  ...['moderator', 'moderators', 'moderation', 'mods', 'staff', 'support', 'webmaster'],
  // German
  ...['administratorin', 'moderatorin', 'kundendienst', 'kundenservice', 'seitenleitung', 'mitarbeiter'],
  // Spanish and Portuguese
  ...['administrador', 'administradora', 'administracion', 'administração', 'moderador', 'moderadora'],
  ...['moderacion', 'moderação', 'soporte', 'suporte'],
  // French
  ...['administrateur', 'administratrice', 'modérateur', 'modératrice', 'modération'],
  // Italian
  ...['amministratore', 'amministratrice', 'amministrazione', 'moderatore', 'moderatrice', 'moderazione'],
  'supporto',
  // Polish
  ...['administratorka', 'administracja', 'moderatorka', 'moderacja'],
  // Indonesian
  ...['pengelola', 'moderasi', 'administrasi'],
  // Russian
  ...['админ', 'администратор', 'администрация', 'модератор', 'модерация', 'поддержка', 'техподдержка'],
  'саппорт',
  // Hindi
  ...['एडमिन', 'प्रशासक', 'व्यवस्थापक', 'मॉडरेटर', 'मॉडरेशन', 'सपोर्ट', 'स्टाफ', 'स्टाफ़'],
  // Japanese
  ...['アドミン', 'モデレーター', 'モデレータ', 'スタッフ', 'サポート'],
];

/** Refused in a name that consists of these words and the ones above only, for example «System» and «Official Team». */
export const STAFF_NAMES: readonly string[] = [
  ...['system', 'sistema', 'système', 'sistem', 'система', 'सिस्टम', 'システム', '系统', '系統'],
  ...['official', 'offiziell', 'oficial', 'officiel', 'officielle', 'ufficiale', 'oficjalny', 'официальный'],
  ...['आधिकारिक', 'operator', 'operador', 'opérateur', 'operatore', 'оператор', 'helpdesk', 'team'],
];

/** Words that change nothing about such a name. */
export const FILLER_WORDS: readonly string[] = ['the', 'site', 'customer', 'technical', 'real', 'chat', 'ai'];

/** Chinese and Japanese write no blanks between words, so these are refused as a part of a run of Han characters. */
export const HAN_TITLES: readonly string[] = [
  ...['管理员', '管理員', '管理者', '管理人', '版主', '客服', '官方', '工作人员', '工作人員'],
  ...['運営', '公式'],
];

/** Han characters that contain a title by chance: 上官 is a surname, and 方 begins many given names. */
export const HAN_EXCEPTIONS: readonly string[] = ['上官方'];

/** Refused as a part of a name. */
export const SITE_NAME = BRAND.name;
