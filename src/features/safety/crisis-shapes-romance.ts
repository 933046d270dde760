import type { CrisisShapes } from './crisis-shapes.ts';

const JE =
  '(je|jai|jaimerais|jespere|jaurais|jattends|jen|me|moi|si|jveux|jvoudrais|jprie|juste|dieu|franchement|vraiment)';
const MORT =
  '(morte?|mourir|en vie|vivante?|plus exister|ne plus exister|pas exister|ne plus être là|plus être là|plus de ce monde|jamais (née?|exister|existé|naître|être née?)|pas née?|ne (pas|plus|jamais) me réveiller|ne (pas|plus|jamais) (plus )?me réveiller|(pas|plus|jamais) (plus )?(me réveiller|mendormir|me réveille|réveillée?)|me réveille (pas|plus|jamais)|dormir pour toujours|mendormir (pour toujours|et)|disparaître (pour toujours|à jamais|définitivement|pour de bon)|arrêter dexister|cesser dexister|cesser de vivre|arrêter de respirer|coeur .. arrête|sous terre|dans un cercueil|dans ma tombe|rejoindre .. (ciel|paradis|là haut))';
const PLUS =
  '(plus|pas|aucune|aucun|marre|assez|fatiguée?|fatigué|lasse?|épuisée?|ras le bol|arrêter|arrêté|refuse|sans|incapable|à bout|jamais|dégoûtée?)';
const VIVRE =
  '(vivre|en vie|exister|être là|être ici|continuer|continuer à vivre|rester en vie|respirer|me lever|me réveiller|me battre|de ce monde|vie|être vivante?|tenir|survivre)';
const AUTRES =
  '(tout le monde|tous|toutes|le monde|ma famille|mes parents|ma mère|maman|mon père|papa|mes enfants|enfants|mes amis|mes proches|mes potes|ils|elles|les gens|vous|les autres|mon mari|ma femme|mon copain|ma copine|personne|quelqu un)';
const MIEUX =
  '(mieux|plus facile|plus heureux|heureux|soulagés?|soulagement|plus simple|tranquilles?|libérés?|libres?|bien|en paix|légers?|débarrassés|remettraient|remettront|oublie*)';
const PARTI =
  '(morte?|partie?|plus là|pas là|plus de ce monde|disparue?|disparaissais|disparais|mourais|meurs|mourrai|nexistais (pas|plus)|existais|serai plus|suis plus|jamais née?|jamais existé|pas née?|me tuais|me tue|mort|disparaître|crevais|crève)';
const CACHETS =
  '(cachets?|médicaments?|médocs|comprimés?|pilules|somnifères|doliprane|antidouleurs|insuline|javel|antidépresseurs|anxiolytiques|xanax|paracétamol|boîte de cachets)';
const HAUT =
  '(pont|toit|falaise|balcon|fenêtre|immeuble|étage|viaduc|tour|parapet|rambarde|corniche|terrasse|vide|parking)';
const CORPS =
  '(bras|avant bras|poignets?|cuisses?|jambes?|peau|ventre|mains?|veines|hanches?|chevilles?|épaules?|mollets?|doigts)';
const LAME =
  '(lames?|rasoir|couteau|cutter|ciseaux|briquet|cigarettes?|clope|verre|aiguille|compas|taille crayon|scalpel|fer à repasser|mégot)';

export const FRENCH_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${JE} .. (veux|voudrais|voudrai|voulais|aimerais|jaimerais|préfère|préférerais|préféré|souhaite|souhaiterais|espère|jespere|prie|supplie|rêve|envie|hâte|attends|aurais|seulement|besoin|jveux|prête?|mérite|demande) .. ${MORT}(?! (de rire|pour toi|de (faim|honte|fatigue|soif|peur|froid|rire)|avec toi|en héros|tôt))`,
    '(prie|supplie|demande|espère|souhaite|jespere) .. (pas|plus|jamais|ne) .. (réveiller|réveille|lever|réveillé)',
    '(préférerais|préfère|aimerais mieux|mieux|voudrais|préférais) .. (pas être en vie|plus être en vie|être morte?|ne pas vivre|pas vivre|plus vivre|ne pas exister|plus être là|être six pieds)',
    '(paix|résignée?|prête?|accepté|daccord|réconciliée?) .. (idée de mourir|lidee de mourir|à mourir|de mourir|ma mort|la mort|avec la mort|den finir)',
    '(mort|mourir|être morte?|ne plus exister|ne plus vivre|suicide) .. (semble|paraît|serait|serai|a lair|me fait|mattire|apaise*|est) .. (soulagement|mieux|douce?|belle?|bien|paisible|délivrance|facile|rassur*|repos|envie|attirante?|solution)',
    '(veux|voudrais|aimerais|jaimerais|besoin|envie) .. (tout|ça|la douleur|le bruit|les voix|ma vie|cette vie|souffrance|les pensées) .. (arrête|sarrête|cesse|finisse|termine|se taise) .. (toujours|bon|jamais|définitivement|fois pour toutes)',
    '(veux|voudrais|aimerais|jaimerais) .. (que )?(tout|ma vie|cette vie|ça) (sarrête|se termine|finisse|cesse) .',
    '(hâte|attends|impatience|compte les jours) .. (mourir|la mort|ma mort|que ça finisse pour toujours|den finir|être morte?)',
    'laissez? moi (mourir|crever|partir pour toujours)(?! (dans tes bras))',
  ],
  noMoreLife: [
    `(je|jai|jen|me|moi|suis|veux|peux) .. ${PLUS} (la force |envie |le courage |l énergie |lenergie |de raison |raison |raisons |aucune |du tout |vraiment |la |le |goût |à |de |d |den |davoir |en |peux |veux |pouvoir |vouloir |rien |sens |cette |ma |)*${VIVRE}(?! (tôt|si tôt|demain matin|sans|avec|dans|chez|ici avec|à (paris|deux|la)|en (ville|coloc)|privée|sociale|amoureuse|de couple|professionnelle|la partie|le jeu|l histoire|lhistoire|à jouer|comme coloc|dartiste))`,
    '(aucune?|plus de|pas de|plus aucune?|perdu|une seule|quelle|sans) .. (raisons?|but|sens|espoir|force|forces|envie|courage|goût|intérêt) .. (vivre|continuer|exister|me lever|me réveiller|rester en vie|la vie|rester ici|respirer|vie)(?! (avec|la partie|le jeu|à jouer|privée))',
    '(à quoi (bon|ça sert|sert)|pourquoi|quel est lintérêt|quel intérêt|dans quel but) .. (vivre|continuer à vivre|exister|rester en vie|me lever|respirer|encore là|encore en vie|la vie|je vis)(?! (avec|à))',
    '(plus rien|rien|personne|pas davenir|aucun avenir) .. (pour moi|me retient|mattend|à attendre) .. (ici|vie|monde|après|avenir|demain|sur terre|de la vie|.)',
    '(tiendrai|tiens|supporte|supporterai|supporter|survivrai|passerai|peux pas|peux plus|endurer|tenir|vivre|ferai|capable) .. (pas|plus|jamais)? ?.. (autre|de plus|nouvelle|nouveau|encore) .. (jour|journée|année|mois|semaine|nuit|hiver|été|an|matin)',
    '(pas|plus|jamais) .. (une|un|encore) (autre |nouvelle |nouveau )*(jour|journée|année|mois|semaine|nuit|hiver|an) (de plus|comme ça|de ça|pareille?)',
    '(vivre|vie|existence|exister|respirer|me lever|chaque jour) .. (fardeau|torture|supplice|calvaire|insupportable|inutile|vide de sens|plus de sens|aucun sens|pas de sens|enfer|ne vaut|vaut plus|vaut pas|trop dur|trop lourd|sert à rien)(?! (sans (café|chocolat)))',
    '(marre|ras le bol|fatiguée?|lasse?|épuisée?|assez|dégoûtée?) .. (de vivre|de la vie|de cette vie|dexister|dêtre en vie|dêtre là|de respirer|de ma vie|de lexistence)(?! (en|à|chez|avec))',
    '(abandonne|abandonné|baisse les bras|renonce|renoncé) .. (la vie|à vivre|vivre|tout espoir)',
  ],
  burden: [
    `${AUTRES} .. (serait|seraient|seriez|sera|seront|est|iront|iraient|irait|ira|vivraient|vivrait|sen sortir*|porte*) .. ${MIEUX} .. (sans moi|(si|quand|une fois que|lorsque|après) .. (je|jetais|jetait|jsuis|moi) .. ${PARTI})`,
    `(si|quand|une fois que|lorsque|le jour où) .. (je|jétais|jsuis) .. ${PARTI} .. (mieux|plus facile|heureux|soulagés?|simple|tranquilles?|personne|remarqu*|manque*|pleure*|bien|libres?|débarras*)`,
    '(sans moi) .. (mieux|plus facile|plus heureux|soulagés?|simple|tranquilles?|libres?|belle)(?! (à la|au))',
    `(personne|qui|nul) .. (remarque*|manque*|pleure*|regrette*|souci*|apercev*|verra*|verrait|triste|cherche*|enterrement|attriste*) .. (si|quand|que|lorsque) .. (je|jetais|jétais|jsuis) .. ${PARTI}`,
    '(poids|fardeau|boulet) .. (tout le monde|tous|famille|eux|vous|parents) .. (morte?|mourir|disparaître|partir|mieux|plus là)',
    '(assurance|héritage) .. (quand|après|si) .. (je|ma) .. (morte?|mort|partie?|plus là)',
  ],
  ending: [
    '(je|jai|vais|veux|voudrais|jveux|jvais|envie|décidé|pense|songe|compte|prête?|besoin|prévois) .. (en finir|den finir|mettre fin|mets fin|tout arrêter|tout finir|tout terminer|finir ma vie|terminer ma vie|abréger)(?! (avec (lui|elle|cette|ce|mon|ma|les|le)|à (cette|notre|la|mon)))( .. (vie|tout|jours|ça|pour de bon|définitivement|ce soir|cette nuit|demain|bientôt|existence|souffrances?|maintenant|.))',
    '(quitte|quitter|quitterai|quittée?|partir de|men aller de|pars de|adieu) (bientôt |enfin |demain |ce soir )*(ce|cette|le|la) (sale |foutu |putain de |bas )*(monde|terre|vie)(?! (du|de la (mode|finance|nuit)))',
    '(me|me suis|mautodétruire|vais me|veux me) (faire |bientôt |enfin )*(suicider|suicide|pendre|tuer|flinguer|foutre en l air|foutre en lair|buter|supprimer|zigouiller|noyer|empoisonner|tirer une balle|trancher les veines|ouvrir les veines|taillader les veines|crever|défenestrer|jeter dans le vide|donner la mort|enlever la vie|ôter la vie)(?! (à l|à la tâche|au (travail|boulot)|en salle|dans le (travail|boulot)|pour (ce|cet|réussir)))',
    '(pense*|songe*|idées?|réfléchis|planifie|prévois|imagine|cherche|cherché|recherches|google|rêve*|organise|envisage) .. (en finir|mourir|suicide|me tuer|ma mort|suicidaires?|me suicider|mon enterrement|mon suicide|ne plus être là|méthodes?|sans (douleur|souffrir)|mettre fin|passer à lacte)',
    '(suicide|mourir|mort|en finir|me tuer) .. (seule|unique|dernière|meilleure) .. (issue|solution|option|chose|façon|échappatoire|sortie|choix|moyen)',
    '(seule|unique|dernière|meilleure|pas dautre|plus dautre|aucune autre) .. (issue|solution|option|façon|échappatoire|sortie|choix|moyen) .. (suicide|mourir|mort|en finir|me tuer|partir pour toujours)',
    '(cette fois|la prochaine fois) .. (rate*|raterai|réussi*|survivr*|marche*|personne .. (sauve*|arrête*)) .. (mourir|bon|mort|pont|cachets)',
    'passer à l ?acte .. (ce soir|cette nuit|demain|bientôt|envie|peur|pense|prête?)',
  ],
  parting: [
    '(mis|mets|tout|papiers|affaires|rangé|réglé) .. (en ordre|réglé|rangé|préparé|arrangé|testament) .. (après ma mort|pour après|avant de (mourir|partir|men aller|disparaître)|quand je (serai|ne serai)|enterrement)',
    '(dernier|dernière|derniers) (message|lettre|mots|fois|conversation|discussion|soirée|nuit|noël|anniversaire|jour|lignes) .. (de moi|avant (de mourir|de partir|ma mort|que je (parte|meure))|de ma vie|sur terre|que tu (mentends|as de))',
    '(adieu|au revoir|adieux) .. (monde cruel|le monde|pour toujours|à jamais|à tous ceux|à la vie|à ce monde|éternel*|à ma famille|définitif)',
    '(écrit|écris|écrire|rédigé|laissé|laisse|enregistré|préparé|fini) .. (lettres? dadieu|lettres? d adieu|mots? dadieu|dernière lettre|lettre de suicide|vidéo dadieu|lettres? .. (après|quand|mort|adieu|partie?))',
    '(donné|donne|distribué|légué|vendu|vends) .. (affaires|chat|chien|vêtements|tout|livres|guitare|jeux) .. (plus besoin|pas besoin|bientôt plus|là où je vais|servira plus)',
    '(occuper*|occupe|prends soin|prendre soin|pardonne*|pleure*|dites|dis à|disperse*|enterre*|nourris*|oublie*) .. (quand|une fois que|lorsque|après|si) (je|ma) (ne )?(serai|suis|mort|meurs|partirai) ?(plus là|morte?|partie?|plus)?',
    '(choisi|fixé|décidé|trouvé|déjà) .. (date|jour|endroit|lieu|pont|méthode|façon|moment) .. (mourir|en finir|suicide*|me tuer|sauter|mort|partir pour de bon|passer à lacte)',
    '(serai|verrai|tiendrai|passerai|fêterai|survivrai|vivrai|arriverai|connaîtrai) (plus|pas) .. (en vie|jusqu*|noël|anniversaire|année|lhiver|lété|printemps|rentrée|mois prochain|semaine prochaine|de ce monde|vieux|vieille)(?! (au bureau|à la (fête|réunion)))',
  ],
  means: [
    `(boîte|flacon|poignée|tous|toutes|plein|assez|trop|plaquette|plaquettes|stock|[0-9]+|tube) .. ${CACHETS} .. (avaler|prendre|avale|prends|avalé|pris|tous|tout|dun coup|jamais|finir|mourir|à côté|devant moi|ce soir|cette nuit|en main|les prendre)`,
    `(avaler|prendre|avale|prends|avalé|pris|gober|gobé|ingurgit*|stocke|stocké|accumulé|accumule|garde|cache|mis de côté) .. (boîte|flacon|poignée|tous|toutes|plein|assez|trop|plaquette|stock|surdose|[0-9]+) .. ${CACHETS}`,
    `${CACHETS} .. (à côté de moi|devant moi|dans la main|table de (nuit|chevet)|prêts) .. (prendre|avaler|tous|finir|envie|.)`,
    '(surdose|overdose) .. (prendre|faire|pris|ce soir|pense|veux|médicaments|cachets|insuline|envie)',
    '(faire|prendre|fais|pense à|envie dune) (une )?(overdose|surdose)(?! de (chocolat|café|sucre))',
    `(sauter|sauterais|me jeter|me jette|mejeter|me balancer|lâcher prise|me laisser tomber|basculer|enjamber|plonger) .. (${HAUT})(?! (de la piscine))`,
    `(je|jai|jetais|jétais|suis|monte|montée?|regarde|debout|assise?|passe|vais) .. (sur|du|au bord|d un|dun|de la|le|la|quel|au dessus|haut) .. ${HAUT} .. (sauter|saute|me jeter|lâcher|tomber|vide|fini|failli|un pas|basculer)`,
    '(quel|quelle) (pont|toit|immeuble|train|arbre|falaise|méthode|étage) .. (sera|sauter|jeter|choisir|prendre|haut|me pendre)',
    '(pense|songe|réfléchis|imagine|planifie|choisis|cherche|demande) .. (quel|quelle) (pont|toit|immeuble|train|arbre|falaise|méthode)',
    '(me jeter|me jette|me jetterai|mallonger|me coucher|me mettre|sauter|marcher|traverser) .. (sous|devant|sur) .. (train|métro|bus|camion|voitures?|rails|voies?|rer|tram|tgv)',
    '(foncer|fonce|rouler|lancer ma voiture|planter ma voiture|donner un coup de volant|jeter ma voiture|encastrer) .. (arbre|mur|pont|camion|ravin|platane|falaise|face)',
    '(corde|noeud coulant|ceinture|câble) .. (au cou|autour du cou|mon cou|placard|sous mon lit|grenier|plafond|prête|assez solide|ce soir|tabouret|cave|achetée?)',
    '(acheté|préparé|noué|attaché) .. (corde|noeud coulant)( .. (pendre|finir|mourir|moi|placard|plafond|cou))',
    '(veines|poignets|gorge) .. (trancher|ouvrir|couper|taillader|tranche|ouvre)',
    '(trancher|ouvrir|couper|taillader|tranche|ouvre) .. (les|mes) (veines|poignets)',
    '(pistolet|fusil|flingue|arme|canon|balle) .. (dans la bouche|sur la tempe|contre ma tempe|dans la tête|dans ma bouche)',
    '(combien|quelle (dose|hauteur|quantité)) ... (mourir|mortelle?|me tuer|fatale?|plus me réveiller|crever|létale)',
    'me vider de mon sang',
  ],
  wounding: [
    '(me|de me|à me|dans) (faire (du )?mal|frapper|couper|scarifier|brûler|taper|griffer|mordre|gifler|affamer|mutiler|taillader|punir|blesser) (est|cest|me|maide|aide|fait|calme|reste|soulage|était)',
    `(je|et|jme|jai|me suis) (me |m |ne |encore |juste |souvent |toujours )*(coupe|scarifie|taillade|mutile|brûle|frappe|tape|mords|griffe|entaille|gifle|affame|lacère|automutile|scarifiée?|coupée?|tailladée?|mutilée?|brûlée?|entaillée?)( (la|le|les|mon|ma|mes)? ?${CORPS})? (.. )?(quand|lorsque|pour|parce que|parce qu|depuis|chaque|dès que|en cachette|encore|exprès|jusqu*|la nuit|le soir|avec|à nouveau|souvent|si|volontairement|au)`,
    `${LAME} .. (sur|dans|contre|à) .. ${CORPS}`,
    `${CORPS} .. (jusqu au sang|jusquau sang|avec (un|une|mon|ma|le|la|des) ${LAME}|au rasoir|au cutter|à la lame|exprès|volontairement)`,
    '(je|jme|jlai|jai|me) .. (refait|recommencé|recoupée?|rechuté|craqué) .. (lignes|coupures?|entailles|cicatrices|traits|sang|lame|jambe|bras|cuisse|poignet)',
    '(mange plus|mange pas|ne mange|saute des repas|saute les repas|affame|prive|vomis|vomir) .. (punir|punition|mérite|me déteste|me dégoûte)',
    '(tête|poings?|main) .. (contre|dans) .. (mur|murs|porte|sol) .. (quand|jusqu*|calme|saigne|sang|pour|mal)',
    '(douleur|lame|sang|me couper|saigner|scarification) .. (seule|unique) .. (chose|façon|moyen|truc)',
    '(seule chose|seul moyen|seule façon|unique façon) .. (me couper|douleur|lame|sang|me faire (du )?mal|scarifier|me frapper|saigner)',
  ],
  craving: [
    '(envie|besoin|pulsion|pulsions|démange|tentée?|tentation|manque|manquent|urgence|obsédée?) .. (me couper|de me faire (du )?mal|la lame|ma lame|le rasoir|mon rasoir|me scarifier|scarifier|sentir la lame|me brûler|saigner|voir mon sang|me taillader|me mutiler|prendre la lame|de la lame|cutter|scarification)(?! (les cheveux|la frange))',
    `(veux|voudrais|besoin|envie|jveux) .. (sentir|ressentir|voir) .. (lame|couteau|rasoir|mon sang|brûlure|sang couler|la douleur)(?! (du dragon))`,
    '(rechute|rechuté|rechuter|replongé|replonger|craqué) .. (lame|scarif*|couper|coupée?|automutil*|après .. (jours|mois|semaines|ans)|sang|rasoir)',
    '(arrête|arrêter|empêcher|résister|penser qu) .. (me couper|me scarifier|me faire (du )?mal|à la lame|me frapper|me mutiler|lame|scarif*)',
    '(veux|vais|voudrais|envie de|besoin de|jveux) (encore |vraiment |juste )*(me (faire (du )?mal|couper|scarifier|brûler|punir|frapper|blesser|taillader|mutiler))(?! (les cheveux|la frange|du monde|un|une))',
  ],
  traces: [
    `(nouvelles?|six|cinq|quatre|trois|sept|fraîches?|encore|plein de|[0-9]+) .. (lignes|coupures?|entailles|cicatrices|traits|marques|brûlures) .. (sur|à|aux|dans|le long) .. ${CORPS}`,
    '(bandages?|bandes|pansements?|manches longues|pull|sweat|bracelets|cache|cacher|caché) ... (coupures?|cicatrices|marques|entailles|poignets|avant bras|scarif*|ce que je me suis fait|ce que jai fait à)',
    `${CORPS} .. (couverte?s?|pleine?s?|remplie?s?|recouverte?s?) .. (cicatrices|coupures|entailles|brûlures|marques)`,
  ],
  elsewhere: [
    '(jeu|partie|niveau|boss|quête|film|roman|livre|épisode|saison|chapitre|personnage|dragon|chevalier|vampire|zombies?|démon|orc|elfe|minecraft|élastique|parachute|piscine|lac|rivière|plongeoir|trampoline|devoirs|régime|sucre|fumer|téléphone|batterie|imprimante|recette|oignons?|cuisine|cuisinant|rasant|médecin|docteur|ordonnance|migraine|mal de tête|dentiste|vitamines|chat ma|rosier|papier|salle de sport|marathon|sans faire exprès|accident|haha*|mdr|ptdr|lol|mon ami|mon amie|ma copine veut|poème|chanson|documentaire|(il|elle|quelqu un) (veut|voulait|menace*|a dit|a tenté)|contrat|abonnement|réunion|discussion|dispute|relation)',
  ],
  overcome: [
    '(heureuse?|contente?|fière?|reconnaissante?|soulagée?) .. (en vie|vivante?|encore là|davoir survécu)',
    '(depuis|ça fait) .. (ans|années|mois) .. (plus coupée?|sans me (couper|scarifier)|clean|plus scarifiée?|plus fait (de )?mal|abstinen*)',
    '(avant|autrefois|à lépoque|il y a .. ans|quand jétais ado|ado) ... (aujourdhui (je|ça|jaime)|maintenant (ça va|je vais (bien|mieux)|jaime)|guérie?|derrière moi|plus maintenant|cest fini|thérapie ma|men suis sortie?|jai arrêté|dieu merci)',
    '(men suis|je suis) (enfin |complètement |bien )*(sortie?|guérie?)(?! (de chez))',
  ],
  again: [
    '(rechut*|envie|revient|reviennent|revenue?s?|recommenc*|encore envie|ce soir|cette nuit|à nouveau|mais là|en ce moment|ces derniers temps|peux plus)',
  ],
};

const IO =
  '(io|vorrei|voglio|spero|prego|preferirei|preferisco|magari|se|dio|sogno|mi|solo|davvero|sinceramente|desidero|ho|sono|sarebbe|meglio|non)';
const MORTO =
  '(morto|morta|morire|viva|vivo|esistere|vivere|esserci|essere qui|svegliarmi|risvegliarmi|mi svegli|svegliarsi|nascere|nato|nata|esistito|esistita|sparire per sempre|scomparire per sempre|sparire (nel nulla|dal mondo)|dormire per sempre|addormentarmi e|chiudere gli occhi per sempre|smettere di (esistere|respirare|vivere)|cuore .. (fermi|fermasse)|sotto terra|nella tomba|in una bara)';
const VITA =
  '(vivere|la vita|vita|esistere|esistenza|essere (viva|vivo|qui|al mondo)|andare avanti|continuare a vivere|restare (viva|vivo|in vita|al mondo)|rimanere (viva|vivo|in vita)|stare al mondo|respirare|svegliarmi|alzarmi|questa vita|esserci|tirare avanti|lottare|sopravvivere)';
const ALTRI =
  '(tutti|tutte|il mondo|la mia famiglia|famiglia|i miei|genitori|figli|mamma|papà|mia madre|mio padre|amici|loro|gli altri|mio marito|mia moglie|voi|la gente|tu|nessuno|mio figlio|mia figlia)';
const ANDATO =
  '(morto|morta|muoio|morissi|morirò|sparissi|sparisco|scomparissi|scomparso|scomparsa|non ci fossi|ci fossi|non ci sarò|ci sarò più|ci sono più|non esistessi|esistessi|mai nato|mai nata|ammazzassi|uccidessi|me ne andassi|me ne vado per sempre|me ne sarò|andato|andata|fossi mai)';
const MEGLIO =
  '(meglio|più facile|più felici|felici|sollevati|sollievo|più semplice|tranquilli|liberi|bene|in pace|leggeri|se ne farebbero)';
const PASTICCHE =
  '(pillole|pastiglie|pasticche|compresse|farmaci|medicine|sonniferi|tachipirina|antidolorifici|insulina|candeggina|psicofarmaci|xanax|paracetamolo|gocce|barbiturici)';
const ALTO =
  '(ponte|tetto|balcone|finestra|palazzo|scogliera|cavalcavia|terrazza|terrazzo|piano|ringhiera|torre|viadotto|cornicione|vuoto|parapetto)';
const CARNE =
  '(braccio|braccia|avambracci*|pols[oi]|coscia|cosce|gamb[ae]|pelle|pancia|man[oi]|vene|fianchi|cavigli[ae]|spall[ae]|dita)';
const LAMA =
  '(lametta|lamette|lama|lame|coltello|taglierino|forbici|accendino|sigarett[ae]|vetro|ago|compasso|temperino|bisturi|rasoio|mozzicone|ferro da stiro|cicca)';

export const ITALIAN_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${IO} .. (vorrei|voglio|volevo|spero|prego|preferirei|preferisco|preferivo|magari|sogno|desidero|chiedo|imploro|meglio|merito|pronto a|pronta a|aspetto|penso di) .. (non|essere|di|fossi|mai|mi|a|solo|dormire|sparire|scomparire|smettere|stare|chiudere|già|nemmeno|addormentarmi) (più |mai |solo |essere |mi |fosse |fossi |mi fossi |addormentarmi |per )*${MORTO}(?! (di (fame|sonno|freddo|vergogna|risate|caldo)|per te|con te|in (città|campagna|pace con te)|presto domani|a (roma|milano|scuola)|qui con|senza|dal ridere|tra le tue|presto))`,
    '(prego|spero|chiedo|imploro|supplico|vorrei|desidero) .. (non|mai) .. (svegliarmi|risvegliarmi|svegliare|mi svegli|aprire gli occhi|svegliassi|svegliarsi)(?! (presto|alle))',
    '(preferirei|preferisco|sarebbe meglio|meglio|preferivo) .. (non essere (viva|vivo|nato|nata|mai)|essere mort[oa]|non vivere|non esistere|non esserci|morire)(?! (che|piuttosto|di))',
    '(pace|accettato|rassegnat[oa]|serena|sereno|pront[oa]) .. (idea di morire|lidea di morire|a morire|mia morte|la morte|di morire|farla finita)',
    '(morire|morte|essere mort[oa]|non esistere|non esserci più|suicidio) .. (sembra|sarebbe|pare|mi dà|attira|è) .. (sollievo|meglio|dolce|bello|bella|pace|facile|liberazione|riposo|soluzione|tranquill*)(?! (di))',
    '(voglio|vorrei|bisogno|desidero) .. (tutto|dolore|rumore|voci|vita|sofferenza|pensieri) .. (si fermi|smetta|finisca|finissero|fermasse|finisse|termini|taccia|smettesse|smettano) .. (per sempre|una volta|definitivamente|e basta|.)',
    '(non vedo lora|aspetto solo|aspetto|conto i giorni|desidero) .. (morire|la morte|mia morte|essere mort[oa]|farla finita)',
    'lasciatemi (morire|crepare)|lasciami (morire|crepare)(?! tra)',
  ],
  noMoreLife: [
    `(non|più|sono|ho|mi) .. (voglio|vorrei|posso|riesco|reggo|sopporto|so|ha senso|ho|forza|forze|voglia|ragione|ragioni|motivo|motivi|senso|scopo|energia|coraggio|stanc[oa]|stuf[oa]|esaust[oa]|basta|merito|trovo|vedo) (più |nessun |nessuna |alcun |alcuna |la |le |il |un |una |di |per |a |come |perché |forza |forze |voglia |ragione |ragioni |motivo |motivi |senso |scopo |energia |coraggio |che |abbia |della |questa |in |continuare |davvero |proprio |così |)*${VITA}(?! (senza|con te|con lui|con lei|con i|in (città|campagna|questa (città|casa))|a (roma|milano|scuola)|presto|qui con|la partita|il gioco|sociale|notturna|di coppia|privata|da (studente|single)|alle|in due|felic*))`,
    '(a che serve|che senso ha|a cosa serve|a che pro|per quale motivo) .. (vivere|vivo|andare avanti|esistere|continuare a vivere|alzarmi|svegliarmi|sono ancora (qui|viv[oa]|al mondo)|respirare|la vita|restare in vita)(?! (con|la partita|in (città|centro)))',
    '(niente|nulla|nessuno|nessun futuro|non cè futuro) .. (per me|mi trattiene|mi lega|mi aspetta|da aspettare) .. (qui|vita|mondo|dopo|futuro|domani|più|.)',
    '(per me) .. (più niente|niente|nulla|nessun futuro|non cè più) .. (dopo|qui|mondo|niente|futuro|.)',
    '(non|più) .. (reggo|resisto|sopporto|ce la faccio|posso|sopravvivo|riesco|voglio|affronto|arrivo|passo|reggerò|supererò) .. (altro|ancora|un altro|unaltra|un solo|prossim[oa]|altri) .. (anno|giorno|mese|notte|settimana|inverno|giornata|estate|mattina)',
    '(vita|vivere|esistenza|esistere|ogni giorno|respirare) .. (peso|tortura|inutile|insopportabile|senza senso|non ha (più )?senso|inferno|condanna|non vale|non fa per me|fa schifo|strazio|troppo dolor*)(?! (senza (caffè|nutella)))',
    '(stanc[oa]|stuf[oa]|nauseat[oa]|esaust[oa]|basta|stancat[oa]) .. (di vivere|della vita|di esistere|di questa vita|di respirare|di essere (viv[oa]|al mondo)|di stare al mondo|della mia vita)(?! (in|a|con))',
    '(rinuncio|arres[oa]|arrendo|mollato|mollo) .. (vita|a vivere|di vivere)',
  ],
  burden: [
    `${ALTRI} .. (starebbe*|starà|staranno|starebbero|stareste|sarebbe*|sarebbero|sareste|sarà|saranno|vivrebbero|avrebbero|respirerebbero) .. ${MEGLIO} .. (senza (di )?me|(se|quando|appena|una volta che|dopo che) .. ${ANDATO})`,
    `(se|quando|appena|una volta che|il giorno che) (io |solo |non |me |ne |mi )*.. ${ANDATO} .. (meglio|più facile|felici|sollevati|semplice|tranquilli|nessuno|accorger*|mancher*|piang*|bene|liberi)`,
    '(senza di me) .. (meglio|più facile|più felici|sollevati|semplice|tranquilli|liberi|bello)',
    `(nessuno|chi|a nessuno|qualcuno) .. (accorger*|accorge|mancher*|mancherei|piang*|import*|dispiac*|noter*|cerch*|funerale|ricord*|interess*) .. (se|quando|che) .. ${ANDATO}`,
    '(peso|fardeau|zavorra) .. (tutti|famiglia|loro|per voi) .. (mort[oa]|morire|sparire|meglio|non esserci)',
    '(assicurazione|eredità) .. (quando|dopo|se) .. (io|mia|sarò) .. (mort[oa]|morte)',
  ],
  ending: [
    '(farla|la faccio|facciamola|farò|la farò|farmela) (proprio |davvero |subito |stanotte |domani )*finita(?! con (lui|lei|questo|questa|il|la|le|i))',
    '(voglio|vorrei|penso|pensando|deciso|sto per|devo|intenzione|pront[oa]|metto|metterò|porre|mettere|pongo) .. (porre fine|mettere fine|metto fine|pongo fine|chiudere|finire|terminare|spegnere) .. (vita|tutto|esistenza|sofferenza|dolore|giorni|me stess[oa]|per sempre)',
    '(lascio|lasciare|lascerò|abbandono|abbandonare|andarmene da|me ne vado da|addio a|saluto|salutare|via da) (per sempre |presto |domani |finalmente )*(questo|questa|il|la) (brutto |schifo di |cazzo di |maledetto )*(mondo|terra|vita)(?! (della|del|dei))',
    'mi (voglio |sto per |devo |stanotte |domani |potrei )*(ammazzo|ammazzare|ammazzerò|uccido|uccidere|ucciderò|impicco|impiccare|impiccherò|sparo|sparare|sparerò|suicido|suicidare|suiciderò|tolgo la vita|togliere la vita|toglierò la vita|anniento|annego|avveleno|butto giù|butto di sotto|butterò giù|taglio le vene|taglierò le vene|sgozzo|getto nel vuoto)(?! (di (lavoro|risate|fatica|studio|palestra)|dal ridere|in palestra|per (questo|lei)))',
    '(ammazzarmi|uccidermi|impiccarmi|spararmi|suicidarmi|togliermi la vita|togliermi di mezzo|annegarmi|avvelenarmi|buttarmi (giù|di sotto|nel vuoto|dalla|dal|sotto)|gettarmi (nel|dalla|dal|sotto)|tagliarmi le vene|aprirmi le vene|dissanguarmi|sterminarmi|eliminarmi)',
    '(pens*|idea|idee|rifletto|pianific*|progett*|immagin*|cerc*|cercato|google|sogn*|valut*|fantastic*) .. (farla finita|morire|suicidio|uccidermi|mia morte|mio funerale|ammazzarmi|suicidarmi|togliermi|metodi|senza (dolore|soffrire)|non esserci più|suicide|suicidi)',
    '(suicidio|morire|morte|farla finita|uccidermi) .. (unica|unico|ultima|migliore) .. (via|uscita|soluzione|opzione|cosa|modo|scelta|rimedio)',
    '(unica|unico|ultima|migliore|nessunaltra|altra) .. (via|uscita|soluzione|opzione|modo|scelta) .. (suicidio|morire|morte|farla finita|uccidermi|andarmene per sempre)',
    '(stavolta|questa volta|la prossima volta) .. (riesco|riuscirò|fallirò|sbaglio|sbaglierò|sopravviv*|salv*) .. (morire|ponte|pillole|mort[oa])',
  ],
  parting: [
    '(sistemato|ordine|preparato|risolto|testamento|sistemo) .. (dopo la mia morte|dopo di me|prima di (morire|andarmene|farlo|farla)|quando (sarò mort[oa]|non ci sarò)|per quando|funerale)',
    '(ultim[oaei]) (messaggio|lettera|parole|volta|conversazione|notte|natale|compleanno|giorno|chat|saluto) .. (da me|prima di (morire|andarmene|farla)|della mia vita|sulla terra|che mi senti|mio|che vi scrivo|che ti scrivo)',
    '(addio) .. (mondo|per sempre|a tutti per|alla vita|crudele|alla mia famiglia|definitiv*)',
    '(scritto|scrivo|scrivere|lasciato|lascio|registrato|preparato|finito) .. (letter[ae] d ?addio|letter[ae] daddio|biglietto daddio|messaggio daddio|ultima lettera|video daddio|lettere .. (dopo|quando|mort[oa]|addio))',
    '(regalato|regalo|dato via|venduto|donato|do via|distribuito) .. (cose|gatto|cane|vestiti|tutto|libri|chitarra|giochi) .. (non mi serv*|non serv*|non ne avrò|dove vado|servono più|più bisogno)',
    '(prenditi cura|prendetevi cura|cura|perdon*|piang*|dite|dì a|spargete|seppellite*|dimentic*|occupa*|badate|bada) .. (quando|dopo che|se|una volta che|dopo) (io )?(non ci sarò|sarò mort[oa]|la mia morte|muoio|me ne sarò|sarò andat[oa]|non ci sono)',
    '(scelto|fissato|deciso|trovato|già) .. (data|giorno|posto|luogo|ponte|metodo|modo|quando) .. (morire|farla finita|ammazz*|uccid*|buttarmi|suicid*|andarmene per sempre|togliermi)',
    '(non) .. (vedrò|arriverò|arrivo|ci sarò|passerò|festeggerò|sopravviverò|vivrò|supererò|credo di arrivare) .. (natale|compleanno|anno|estate|inverno|primavera|domani mattina|mese prossimo|settimana prossima|trent*|diciott*|fine)(?! (alla festa|in ufficio))',
  ],
  means: [
    `(scatola|flacone|manciata|tutte|boccetta|blister|abbastanza|troppe|scorta|[0-9]+|sacco|confezione) .. ${PASTICCHE} .. (ingoi*|prend*|mand*|butt*|tutte|in una volta|finir*|morir*|accanto|davanti|mano|stanotte|stasera|preso|giù|svegli*|presa|prese)`,
    `${PASTICCHE} .. (accanto|davanti|qui|in mano|sul comodino|pronte|vicino) .. (prend*|ingoi*|tutte|finir*|voglia|butt*)`,
    `(ingoi*|prend*|preso|buttato giù|butto giù|mando giù|mandato giù|conservo|accumul*|nascondo|messo da parte|raccolt*) .. (scatola|flacone|manciata|tutte|boccetta|blister|abbastanza|troppe|scorta|[0-9]+|sacco|overdose|confezione) .. ${PASTICCHE}`,
    '(overdose) .. (di|voglio|fare|pillole|farmaci|insulina|stanotte|pens*)(?! (cioccolat*|caffè|zuccher*|nutella))',
    '(fare|farmi|andare in|pensando a un|voglio una) (un )?(overdose|unoverdose)(?! di (cioccolat*|caffè|zuccher*))',
    `(buttarmi|gettarmi|saltare|lanciarmi|mi butto|mi getto|mi lancio|lasciarmi (cadere|andare)|mollare la presa|cadere|mi butterei|mi sono quasi butt*|fare un passo) .. ${ALTO}`,
    `(sono|ero|salgo|salit[oa]|sto|guardo|guardavo|sedut[oa]|in piedi|affacci*|vado|passo) .. (su|sul|dal|al|dalla|sulla|giù|quale|alla|di un|di sotto) .. ${ALTO} .. (buttarmi|saltare|gettarmi|lanciarmi|lasciarmi|cadere|vuoto|finita|passo|finito|mollare)`,
    '(quale|da quale|che) (ponte|tetto|palazzo|treno|albero|metodo|piano) .. (buttarmi|saltare|gettarmi|sarà|scegliere|alto|impiccarmi|lanciarmi)',
    '(buttarmi|gettarmi|mettermi|sdraiarmi|lanciarmi|camminare|buttare|butto|getto) .. (sotto|davanti|sui|sulle|in mezzo) .. (treno|metro|metropolitana|autobus|camion|macchine|macchina|auto|binari|traffico|tram)',
    '(schiantarmi|schianto|andare|sterzare|guidare|lanciare la macchina|mi schianto) .. (contro|giù|dritto) .. (albero|muro|ponte|camion|guardrail|dirupo|burrone)',
    '(corda|cappio|cintura|cavo) .. (al collo|intorno al collo|armadio|sotto il letto|soffitta|soffitto|pront[oa]|regge il mio|stasera|sgabello|cantina|comprat[oa])',
    '(comprato|preparato|annodato|legato|fatto) .. (cappio|corda)( .. (collo|impicc*|finita|morire|soffitto|armadio|per me))?',
    '(tagliarmi|aprirmi|recidermi|taglio|apro) .. (le )?(vene|gola)',
    '(pistola|fucile|canna|arma|proiettile) .. (in bocca|alla testa|alla tempia|in testa|nella bocca)',
    '(quant[eioa]|che dose|quale dose|da che altezza) ... (morire|letale|mortale|uccidermi|non svegliarsi|per uccidersi|crepare)',
    'morire dissanguat[oa]|dissanguarmi',
  ],
  wounding: [
    '(picchiarmi|tagliarmi|farmi (del )?male|ferirmi|bruciarmi|graffiarmi|mordermi|colpirmi|schiaffeggiarmi|punirmi|affamarmi|autolesionismo) (è|mi|aiuta|era|resta|fa|per|quando|calma|di nuovo)',
    `(mi|io mi|e mi) (sono |ri|ancora |sempre )*(taglio|tagliuzzo|ferisco|brucio|graffio|mordo|picchio|colpisco|faccio (del )?male|punisco|schiaffeggio|affamo|incido|tagliat[oa]|ferit[oa]|bruciat[oa]|graffiat[oa]|mors[oa]|pres[oa] a pugni)( (il|la|le|i|l)? ?${CARNE})? (.. )?(quando|per|perché|ogni|da quando|di nuovo|ancora|apposta|fino|di notte|con|se|di nascosto|a sangue|appena|spesso|volontariamente)(?! (la barba|sbaglio))`,
    `${LAMA} .. (sul|sulla|sulle|sui|nel|nella|contro|su|alla) (mi[aoe] |tutta la )*${CARNE}`,
    `${CARNE} .. (a sangue|fino al sangue|fino a sanguinare|con (la|il|un|una|le) ${LAMA}|apposta)`,
    '(rifatto|ricascat[oa]|ricominciato|fatto di nuovo|ceduto|successo di nuovo) .. (linee|tagli|cicatrici|graffi|sangue|lametta|gamba|braccio|coscia|polso|righe)',
    '(non mangio|salto i pasti|digiuno|vomito|smesso di mangiare|mi affamo) .. (punirmi|punizione|merito|mi odio|schifo)',
    '(testa|pugni|pugno|mano) .. (contro|al|nel) .. (muro|parete|porta|pavimento) .. (quando|fino|calm*|sangu*|per|male|finch*)',
    '(dolore|lametta|sangue|tagliarmi|sanguinare|farmi male|tagli) .. (unica|unico) .. (cosa|modo)',
    '(unica cosa|unico modo) .. (tagliarmi|dolore|lametta|sangue|farmi (del )?male|picchiarmi|sanguinare|bruciarmi)',
  ],
  craving: [
    '(voglia|bisogno|impulso|impulsi|prurito|tentat[oa]|tentazione|manca|mancano|cerca|desiderio|urlano|chiede|resistere|smettere) .. (tagliarmi|di farmi (del )?male|la lametta|della lametta|la lama|mia lama|di sanguinare|vedere il (mio )?sangue|bruciarmi|ferirmi|lametta|autolesion*|i tagli|prendere la lama)(?! i capelli)',
    '(voglio|vorrei|bisogno|ho voglia) .. (sentire|vedere) .. (lama|coltello|lametta|mio sangue|sangue uscire|bruciatura|il sangue|vetro)(?! (del drago))',
    '(ricadut[oa]|ricascat[oa]|ricaduta|ceduto) .. (lametta|tagli*|autolesion*|dopo .. (giorni|mesi|settimane|anni)|sangue|male)',
    '(voglio|vorrei|devo|sto per|ho voglia di|ho bisogno di|non riesco a non) (di nuovo |solo |davvero |tanto )*(farmi (del )?male|tagliarmi|bruciarmi|punirmi|ferirmi|picchiarmi|graffiarmi)(?! (i capelli|la frangia))',
  ],
  traces: [
    `(nuov[ei]|sei|cinque|quattro|tre|sette|fresch[ei]|altri|altre|pien[oaie] di|[0-9]+) .. (linee|tagli|cicatrici|segni|righe|bruciature|graffi) .. (sul|sulla|sulle|sui|lungo|su|nel) .. ${CARNE}`,
    '(bende|cerotti|fasciature|maniche lunghe|felpa|bracciali|braccialetti|nascond*|copr*|garze) ... (tagli|cicatrici|segni|polsi|braccia|quello che mi (sono fatt*|faccio)|ferite)',
    `${CARNE} .. (pien[eoai]|copert[eoai]) .. (cicatrici|tagli|bruciature|segni)`,
  ],
  elsewhere: [
    '(gioco|partita|livello|boss|missione|film|romanzo|libro|episodio|stagione|capitolo|personaggio|drago|cavaliere|vampiro|zombie|demone|orco|elfo|minecraft|bungee|paracadute|piscina|lago|trampolino|mare|compiti|dieta|zucchero|fumare|telefono|batteria|stampante|ricetta|cipoll[ae]|cucina|cucinando|barba|medico|dottore|ricetta|mal di testa|dentista|vitamine|gatto|rose|carta|palestra|maratona|per sbaglio|incidente|ahah*|haha*|lol|mio amico|mia amica|poesia|canzone|documentario|(lui|lei|qualcuno) (vuole|voleva|minaccia*|ha detto|ha tentato)|contratto|abbonamento|riunione|discussione|relazione)',
  ],
  overcome: [
    '(felice|content[oa]|fier[oa]|grat[oa]|orgoglios[oa]) .. (viv[oa]|ancora qui|essere qui|sopravvissut[oa])',
    '(da|sono) .. (anni|mesi) .. (non mi taglio|senza tagliarmi|pulit[oa]|non mi faccio|senza farmi male)',
    '(una volta|in passato|anni fa|da ragazz[oa]|prima|allora) ... (oggi (sto|sono|amo)|adesso (sto bene|sono felice)|ora (sto bene|sto meglio|sono felice|amo)|guarit[oa]|superato|alle spalle|non più|terapia mi ha|ne sono uscit[oa]|ho smesso)',
    '(ne sono|sono) (finalmente |completamente )*(uscit[oa] da|guarit[oa])',
  ],
  again: [
    '(ricadut[oa]|ricascat[oa]|voglia|tornat[oaie]|torna|di nuovo|stanotte|stasera|ultimamente|in questo periodo|non ce la faccio|ma ora|impuls*)',
  ],
};
