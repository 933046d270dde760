import type { Language } from '../../config.ts';

/**
 * Lines that somebody in distress can turn to, by country (ISO 3166-1 alpha-2), as their own pages named them in
 * November 2026. Numbers change, and hours more often: whoever runs the site checks them now and then, above all for
 * the countries that its readers come from. A line is named here only where its number is widely published; a
 * country without one has its emergency number and the directory alone.
 *
 * A line is [name, phone, message, page, hours]; what is null there is not.
 */
export type Line = readonly [
  name: string,
  phone: string | null,
  text: string | null,
  url: string | null,
  hours: 'always' | 'limited',
];

const SAMARITANS: Line = ['Samaritans', '116 123', null, 'https://www.samaritans.org', 'always'];
const DARGEBOTENE_HAND: Line = [
  'Die Dargebotene Hand · La Main Tendue · Telefono Amico',
  '143',
  null,
  'https://www.143.ch',
  'always',
];

export const LINES: Readonly<Record<string, readonly Line[]>> = {
  // 988lifeline.org, crisistextline.org
  US: [
    ['988 Suicide & Crisis Lifeline', '988', '988', 'https://988lifeline.org', 'always'],
    ['Crisis Text Line', null, '741741 (HOME)', 'https://www.crisistextline.org', 'always'],
  ],
  PR: [['988 Suicide & Crisis Lifeline', '988', '988', 'https://988lifeline.org', 'always']],
  // 988.ca, kidshelpphone.ca
  CA: [
    ['9-8-8 Suicide Crisis Helpline', '988', '988', 'https://988.ca', 'always'],
    ['Kids Help Phone', '1-800-668-6868', '686868', 'https://kidshelpphone.ca', 'always'],
  ],
  // samaritans.org, giveusashout.org
  GB: [SAMARITANS, ['Shout', null, '85258 (SHOUT)', 'https://giveusashout.org', 'always']],
  // samaritans.org, textaboutit.ie
  IE: [SAMARITANS, ['Text About It', null, '50808 (HELLO)', 'https://www.textaboutit.ie', 'always']],
  // lifeline.org.au, kidshelpline.com.au
  AU: [
    ['Lifeline', '13 11 14', '0477 13 11 14', 'https://www.lifeline.org.au', 'always'],
    ['Kids Helpline', '1800 55 1800', null, 'https://kidshelpline.com.au', 'always'],
  ],
  // 1737.org.nz
  NZ: [['1737, need to talk?', '1737', '1737', 'https://1737.org.nz', 'always']],
  // telemanas.mohfw.gov.in
  IN: [['Tele-MANAS', '14416', null, 'https://telemanas.mohfw.gov.in', 'always']],
  // sadag.org
  ZA: [['SADAG Suicide Crisis Helpline', '0800 567 567', null, 'https://www.sadag.org', 'always']],
  // sos.org.sg
  SG: [['Samaritans of Singapore', '1767', null, 'https://www.sos.org.sg', 'always']],
  // befrienders.org.my
  MY: [['Befrienders', '03-7627 2929', null, 'https://www.befrienders.org.my', 'always']],
  // sbhk.org.hk; the government's 18111
  HK: [
    ['情緒通 · Mental Health Support Hotline', '18111', null, null, 'always'],
    ['香港撒瑪利亞防止自殺會', '2389 2222', null, 'https://sbhk.org.hk', 'always'],
  ],
  // sanidad.gob.es/linea024, telefonodelaesperanza.org
  ES: [
    ['Línea 024', '024', null, 'https://www.sanidad.gob.es/linea024/home.htm', 'always'],
    ['Teléfono de la Esperanza', '717 003 717', null, 'https://telefonodelaesperanza.org', 'always'],
  ],
  // Secretaría de Salud; saptel.org.mx
  MX: [
    ['Línea de la Vida', '800 911 2000', null, null, 'always'],
    ['SAPTEL', '55 5259 8121', null, 'https://www.saptel.org.mx', 'always'],
  ],
  // Ministerio de Salud; asistenciaalsuicida.org.ar
  AR: [
    ['Línea nacional de salud mental', '0800 999 0091', null, null, 'always'],
    ['Centro de Asistencia al Suicida', '135', null, 'https://www.asistenciaalsuicida.org.ar', 'limited'],
  ],
  // Secretaría Distrital de Salud
  CO: [['Línea 106', '106', null, null, 'always']],
  // Ministerio de Salud
  CL: [['No estás solo, no estás sola', '*4141', null, null, 'always']],
  // Ministerio de Salud: 113, option 5
  PE: [['Línea 113 (opción 5)', '113', null, null, 'always']],
  // ASSE
  UY: [['Línea Vida', '0800 0767', null, null, 'always']],
  // 3114.fr, sos-amitie.com
  FR: [
    ['3114', '3114', null, 'https://3114.fr', 'always'],
    ['SOS Amitié', '09 72 39 40 50', null, 'https://www.sos-amitie.com', 'always'],
  ],
  // preventionsuicide.be, zelfmoord1813.be
  BE: [
    ['Centre de Prévention du Suicide', '0800 32 123', null, 'https://www.preventionsuicide.be', 'always'],
    ['Zelfmoordlijn', '1813', null, 'https://www.zelfmoord1813.be', 'always'],
  ],
  // 143.ch, 147.ch
  CH: [DARGEBOTENE_HAND, ['Pro Juventute', '147', '147', 'https://www.147.ch', 'always']],
  LI: [DARGEBOTENE_HAND],
  // 454545.lu
  LU: [['SOS Détresse', '454545', null, 'https://454545.lu', 'limited']],
  // telefonseelsorge.de, nummergegenkummer.de
  DE: [
    ['TelefonSeelsorge', '0800 111 0 111', null, 'https://www.telefonseelsorge.de', 'always'],
    ['Nummer gegen Kummer', '116 111', null, 'https://www.nummergegenkummer.de', 'limited'],
  ],
  // telefonseelsorge.at, rataufdraht.at
  AT: [
    ['Telefonseelsorge', '142', null, 'https://www.telefonseelsorge.at', 'always'],
    ['Rat auf Draht', '147', null, 'https://www.rataufdraht.at', 'always'],
  ],
  // telefonoamico.it
  IT: [['Telefono Amico Italia', '02 2327 2327', null, 'https://www.telefonoamico.it', 'limited']],
  // sns24.gov.pt, sosvozamiga.org
  PT: [
    ['SNS 24', '808 24 24 24', null, 'https://www.sns24.gov.pt', 'always'],
    ['SOS Voz Amiga', '213 544 545', null, 'https://www.sosvozamiga.org', 'limited'],
  ],
  // cvv.org.br
  BR: [['CVV – Centro de Valorização da Vida', '188', null, 'https://www.cvv.org.br', 'always']],
  // psi.mchs.gov.ru, telefon-doveria.ru
  RU: [
    ['Экстренная психологическая помощь МЧС', '+7 495 989-50-50', null, 'https://psi.mchs.gov.ru', 'always'],
    ['Детский телефон доверия', '8-800-2000-122', null, 'https://telefon-doveria.ru', 'always'],
  ],
  // lifelineukraine.com
  UA: [['Lifeline Ukraine', '7333', null, 'https://lifelineukraine.com', 'always']],
  // inochinodenwa.org, since2011.net
  JP: [
    ['よりそいホットライン', '0120-279-338', null, 'https://www.since2011.net/yorisoi/', 'always'],
    ['いのちの電話', '0120-783-556', null, 'https://www.inochinodenwa.org', 'limited'],
  ],
  // centrumwsparcia.pl, 116111.pl, 116sos.pl
  PL: [
    ['Centrum Wsparcia', '800 70 2222', null, 'https://centrumwsparcia.pl', 'always'],
    ['Kryzysowy telefon zaufania', '116 123', null, 'https://116sos.pl', 'limited'],
    ['Telefon zaufania dla dzieci i młodzieży', '116 111', null, 'https://116111.pl', 'always'],
  ],
  // National Health Commission: 12356 in every province, around the clock in most
  CN: [
    ['全国心理援助热线', '12356', null, null, 'limited'],
    ['希望24热线', '400-161-9995', null, null, 'always'],
  ],
  // 1925, life1995.org.tw
  TW: [
    ['安心專線', '1925', null, null, 'always'],
    ['生命線', '1995', null, 'https://www.life1995.org.tw', 'always'],
  ],
  // healing119.id
  ID: [['Healing119', '119 (8)', null, 'https://www.healing119.id', 'always']],
  // 113.nl
  NL: [['113 Zelfmoordpreventie', '0800-0113', null, 'https://www.113.nl', 'always']],
  // livslinien.dk
  DK: [['Livslinien', '70 201 201', null, 'https://www.livslinien.dk', 'limited']],
  // mentalhelse.no
  NO: [['Mental Helse', '116 123', null, 'https://mentalhelse.no', 'always']],
  // mind.se
  SE: [['Mind Självmordslinjen', '90101', null, 'https://mind.se', 'always']],
  // the Ministry of Health and Welfare's line
  KR: [['자살예방 상담전화', '109', null, null, 'always']],
  // the Department of Mental Health's line: 1323alltime.camri.go.th
  TH: [['สายด่วนสุขภาพจิต', '1323', null, 'https://1323alltime.camri.go.th', 'always']],
  // Ngày Mai; it answers on some afternoons and evenings, and no line of the whole country around the clock is known
  VN: [['Đường dây nóng Ngày Mai', '096 306 1414', null, null, 'limited']],
  // the Department of Health's National Center for Mental Health: doh.gov.ph
  PH: [['NCMH Crisis Hotline', '1553', null, null, 'always']],
  // Kenya Red Cross; befrienderskenya.org
  KE: [
    ['Kenya Red Cross', '1199', null, null, 'always'],
    ['Befrienders Kenya', '+254 722 178 177', null, 'https://befrienderskenya.org', 'limited'],
  ],
  // klimaka.org.gr; the Ministry of Health's 10306
  GR: [
    ['Γραμμή Παρέμβασης για την Αυτοκτονία', '1018', null, 'https://www.klimaka.org.gr', 'always'],
    ['Γραμμή Ψυχοκοινωνικής Υποστήριξης', '10306', null, null, 'always'],
  ],
  // mieli.fi
  FI: [['MIELI Kriisipuhelin', '09 2525 0111', null, 'https://mieli.fi', 'always']],
  // the state's contact centre for families, women and children; the Union of Crisis Centres' line
  KZ: [
    ['Контакт-центр 111', '111', null, null, 'always'],
    ['Телефон доверия 150', '150', null, null, 'limited'],
  ],
  // the Mental Hospital's National Suicide Prevention Helpline, with WHO Nepal and TPO Nepal
  NP: [['National Suicide Prevention Helpline', '1166', null, null, 'always']],
  // eran.org.il
  IL: [['ער״ן', '1201', null, 'https://www.eran.org.il', 'always']],
};

/**
 * Whom one calls when somebody is in danger now: the one number of a country, or that of its ambulances where it has several.
 * Where a country is not named, 112 reaches help from most phones.
 */
export const EMERGENCY: Readonly<Record<string, string>> = {
  US: '911', PR: '911', CA: '911', MX: '911', AR: '911', UY: '911', PY: '911', EC: '911', VE: '911', CR: '911',
  PA: '911', HN: '911', SV: '911', DO: '911', CO: '123', CL: '131', PE: '106', BR: '192', GB: '999', AU: '000',
  NZ: '111', SG: '995', MY: '999', HK: '999', PH: '911', JP: '119', KR: '119', TW: '119', CN: '120', BY: '103',
  MZ: '119', TH: '1669', VN: '115', KE: '999', BD: '999', NP: '102', PK: '1122', MM: '192', KH: '119', LA: '1195',
  MN: '103', MO: '999', BN: '991', MV: '102', EG: '123', TN: '190', DZ: '14', MA: '15', IL: '101', PS: '101',
  JO: '911', LB: '140', SA: '997', AE: '998', BH: '999', QA: '999', OM: '9999', IR: '115', CI: '185', BW: '997',
  ZM: '999', ZW: '999', MU: '114', CU: '104', GT: '110', BO: '110', JM: '110', BS: '911', BB: '911', BZ: '911',
  BM: '911', KY: '911', FJ: '911',
}; // prettier-ignore
export const EMERGENCY_ELSEWHERE = '112';

/** What that number is called. */
export const EMERGENCY_NAMES: Readonly<Record<Language, string>> = {
  en: 'Emergency number',
  es: 'Emergencias',
  fr: 'Urgences',
  de: 'Notruf',
  it: 'Numero di emergenza',
  pt: 'Emergência',
  ru: 'Экстренные службы',
  ja: '緊急通報',
  hi: 'आपातकालीन नंबर',
  pl: 'Numer alarmowy',
  zh: '紧急求助电话',
  id: 'Nomor darurat',
};

/** What 112 is called where nobody knows in which country somebody is. */
export const EMERGENCY_ANYWHERE: Readonly<Record<Language, string>> = {
  en: 'Emergency number in many countries',
  es: 'Emergencias en muchos países',
  fr: 'Urgences dans de nombreux pays',
  de: 'Notruf in vielen Ländern',
  it: 'Numero di emergenza in molti Paesi',
  pt: 'Emergência em muitos países',
  ru: 'Экстренные службы во многих странах',
  ja: '多くの国での緊急通報',
  hi: 'कई देशों में आपातकालीन नंबर',
  pl: 'Numer alarmowy w wielu krajach',
  zh: '许多国家的紧急求助电话',
  id: 'Nomor darurat di banyak negara',
};

/** Where a language's readers mostly are, the most of them first. */
export const COUNTRIES_OF: Readonly<Record<Language, readonly string[]>> = {
  en: ['US', 'GB', 'CA', 'AU', 'IE', 'NZ', 'IN', 'PH', 'ZA', 'KE', 'SG'],
  es: ['MX', 'ES', 'AR', 'CO', 'CL', 'PE', 'UY', 'US'],
  fr: ['FR', 'CA', 'BE', 'CH', 'LU'],
  de: ['DE', 'AT', 'CH', 'LI', 'LU'],
  it: ['IT', 'CH'],
  pt: ['BR', 'PT', 'AO', 'MZ'],
  ru: ['RU', 'KZ', 'BY', 'UA'],
  ja: ['JP'],
  hi: ['IN', 'NP'],
  pl: ['PL', 'GB'],
  zh: ['CN', 'TW', 'HK', 'SG', 'MY'],
  id: ['ID', 'MY'],
};
