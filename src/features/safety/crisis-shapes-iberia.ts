import type { CrisisShapes } from './crisis-shapes.ts';

const YO =
  '(yo|quiero|quisiera|kiero|ojalá|prefiero|preferiría|espero|deseo|desearía|me|si|le pido|pido|ruego|rezo|solo|dios|sueño|estaría|ganas|sería|mejor|merezco|de verdad|sinceramente)';
const MUERTO =
  '(muert[oa]|morirme|morir|viv[oa]|existir|vivir más|despertar|despertarme|no despertar|despertara|despierte|nacer|nacid[oa]|nunca haber nacido|existido|desaparecer para siempre|desaparecer del (mundo|mapa)|dormir para siempre|dormirme para siempre|dormirme y|cerrar los ojos para siempre|dejar de (existir|respirar|vivir)|corazón .. (pare|parara|detenga)|bajo tierra|en (la|mi) tumba|en un ataúd|estar (aquí )?(más )?en este mundo)';
const VIVIR =
  '(vivir|la vida|vida|existir|existencia|estar viv[oa]|estar (en este mundo|aquí)|seguir|seguir viviendo|seguir adelante|seguir aquí|seguir así|viviendo|respirar|despertar|despertarme|levantarme|esta vida|continuar|sobrevivir|luchar|quedarme aquí|quedarme en este mundo)';
const OTROS =
  '(todos|todas|todo el mundo|el mundo|mi familia|familia|mis padres|mamá|papá|mi madre|mi padre|mis hijos|hijos|mis amigos|amigos|ellos|ellas|los demás|la gente|ustedes|vosotros|mi esposo|mi esposa|mi marido|mi mujer|tú|nadie|mi hij[oa]|mi herman[oa])';
const MEJOR_ES =
  '(mejor|más fácil|más felices|felices|aliviad[oa]s?|alivio|más simple|tranquil[oa]s?|libres?|bien|en paz|descansarían|se librarían|contentos)';
const IDO =
  '(muert[oa]|muero|muera|muriera|muriese|morí|haya muerto|desaparezco|desapareciera|desaparezca|no (esté|estoy|estuviera|existiera|estuviese|estaré|existo)|existiera|nunca (hubiera|haber|nací)|me mato|me matara|me voy para siempre|me haya ido|me vaya|ya no (esté|estoy)|falte|faltara|faltase|sin mí)';
const PASTILLAS =
  '(pastillas|píldoras|medicamentos|medicinas|medicación|somníferos|paracetamol|ibuprofeno|calmantes|insulina|cloro|lejía|antidepresivos|ansiolíticos|tabletas|comprimidos|clonazepam|tranquilizantes)';
const ALTURA =
  '(puente|azotea|techo|balcón|ventana|edificio|acantilado|terraza|piso|barandal|barandilla|torre|viaducto|cornisa|tejado|vacío|precipicio)';
const CUERPO =
  '(brazos?|antebrazos?|muñecas?|muslos?|piernas?|piel|barriga|estómago|manos?|venas|caderas?|tobillos?|hombros?|abdomen|dedos)';
const FILO =
  '(cuchillas?|navajas?|cuchillo|cúter|cutter|tijeras|encendedor|mechero|cigarr[oa]s?|cigarrillos?|vidrio|aguja|compás|sacapuntas|bisturí|hoja de afeitar|gillette|rastrillo|plancha|colilla|filo)';

export const SPANISH_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${YO} .. (quiero|quisiera|kiero|ojalá|prefiero|preferiría|preferiria|espero|deseo|desearía|pido|ruego|rezo|suplico|sueño|ganas de|mejor|merezco|gustaría|encantaría|pudiera|querría|mejor sería) (ya |no |nunca |solo |que |yo |me |poder |estar |haber |hubiera |estuviera |estuviese |fuera |simplemente |de una vez |quedarme |a dios |dios |la virgen |al cielo |para |a |seguir |más |mañana |jamás |volver |irme |dormir y )*${MUERTO}(?! (de (risa|hambre|sueño|frío|vergüenza|calor|viejo)|por ti|contigo|temprano|en (la ciudad|paz contigo)|a tu lado|en tus brazos|antes de (comer|ver)|tan temprano|aquí con))`,
    '(pido|ruego|rezo|suplico|espero|deseo|quisiera|imploro) .. (no|nunca) .. (despertar|despierte|despertarme|amanecer|amanezca|abrir los ojos|levantarme)(?! (tarde|temprano))',
    '(preferiría|preferiria|prefiero|mejor|más me vale) .. (no estar viv[oa]|estar muert[oa]|no vivir|no existir|no haber nacido|no despertar|no estar en este mundo)(?! (que|antes))',
    '(paz|paces|aceptado|acepté|resignad[oa]|list[oa]|lista|tranquil[oa]|preparad[oa]) .. (idea de morir*|de morir*|para morir*|mi muerte|la muerte|a morir)(?! (en el juego))',
    '(morir|morirme|la muerte|estar muert[oa]|no existir|no despertar|suicidio) .. (parece|suena|sería|me da|me atrae|es|se siente) .. (alivio|mejor|dulce|paz|fácil|descanso|liberación|solución|bonito|bien|consuelo|tranquil*)',
    '(quiero|quisiera|necesito|kiero) .. (todo|dolor|ruido|voces|vida|sufrimiento|pensamientos|esto) .. (pare|termine|acabe|se acabe|cese|se apague|se detenga|terminara|acabara) .. (siempre|de una vez|y no volver|y ya|.)',
    '(no puedo esperar|ya quiero|cuento los días|esperando|anhelo|ansío) .. (morir|morirme|la muerte|mi muerte|estar muert[oa])',
    '(déjenme|déjame|dejadme) (morir|morirme)(?! en tus)',
  ],
  noMoreLife: [
    `(no|ya|estoy|me|he|perdí|sin|toy) .. (quiero|kiero|puedo|aguanto|soporto|sé|tiene sentido|tengo|ganas|fuerzas|fuerza|razón|razones|motivo|motivos|sentido|energía|valor|cansé|cansad[oa]|hart[oa]|agotad[oa]|merezco|encuentro|veo|vale la pena|merece la pena|deseo|me nace|hay) (más |ninguna |ningún |alguna |el |la |las |un |una |de |para |por |a |como |qué |que |cómo |ganas |fuerzas |razón |razones |motivo |motivos |sentido |energía |valor |tanto |esta |en |continuar |realmente |así |ya |seguir |con |caso |nada |me |quede |volver a |tener que |)*${VIVIR}(?! (sin|contigo|con (él|ella|mis|mi (madre|padre|hermano|ex))|en (la ciudad|el campo|esta (ciudad|casa)|madrid|casa|un)|temprano|el juego|la partida|social|nocturna|jugando|leyendo|hablando|trabajando|estudiando|discutiendo|peleando|esperando|de (soltero|estudiante|lujo)|aquí con|a las))`,
    '(para qué|por qué|de qué sirve|qué sentido tiene|pa que|para que|qué caso tiene) .. (vivir|vivo|seguir|sigo viv[oa]|sigo aquí|existir|existo|levantarme|despertar|respirar|la vida|mi vida|estoy viv[oa])(?! (jugando|con (él|ella)|en (la ciudad|casa)|leyendo|discutiendo))',
    '(nada|nadie|ningún futuro|no hay futuro) .. (para mí|me ata|me retiene|me espera|me queda) .. (aquí|vida|mundo|después|futuro|mañana|más|.)',
    '(para mí) .. (no hay|ya no hay|nada) .. (nada|futuro|mañana|después|salida)',
    '(no|ya no) .. (aguanto|soporto|puedo|resisto|sobreviv*|quiero|llego|paso|doy|podré) .. (otro|un|más|ni un|próximo|siguiente|otra) .. (año|día|mes|noche|semana|invierno|verano|mañana)(?! (libre|sin (café|verte)))',
    '(vida|vivir|existencia|existir|cada día|respirar|seguir viv[oa]) .. (carga|tortura|inútil|insoportable|sin sentido|no tiene (ya )?sentido|infierno|castigo|no vale|no es para mí|asco|no merece|demasiado dolor*|duele demasiado)(?! (sin (café|chocolate)))',
    '(cansad[oa]|hart[oa]|agotad[oa]|me cansé|harté|aburrid[oa]|rendid[oa]) .. (de vivir|de la vida|de existir|de esta vida|de respirar|de estar viv[oa]|de mi vida|de despertar)(?! (en|con|tan))',
    '(me rendí|me rindo|renuncio|me doy por vencid[oa]) .. (vida|vivir|todo y)',
  ],
  burden: [
    `${OTROS} .. (estaría*|estarían|estará*|estarán|sería*|serían|serán|viviría*|vivirían|tendría*|estaríais|seríais|irían|iría) .. ${MEJOR_ES} .. (sin mí|sin mi|(si|cuando|una vez que|el día que|después de que) .. ${IDO})`,
    `(si|cuando|una vez que|el día que) (yo |ya |solo |simplemente |no |me )*.. ${IDO} .. (mejor|más fácil|felices|aliviad*|tranquil*|nadie|notar*|extrañar*|echar*|llorar*|bien|libres)`,
    '(sin mí) .. (mejor|más fácil|más felices|aliviad*|tranquil*|libres|bonito)',
    `(nadie|quién|a nadie|alguien) .. (notar*|daría cuenta|darse cuenta|extrañar*|echar*|llorar*|importar*|importa|dolería|enterar*|buscar*|entierro|funeral|triste|acordar*) .. (si|cuando|que) .. ${IDO}`,
    '(carga|estorbo|lastre) .. (todos|familia|ellos|ustedes) .. (muert[oa]|morir*|desaparecer|mejor|no estar)',
    '(seguro|herencia) .. (cuando|después|si) .. (muera|muerte|muert[oa]|ya no esté)',
  ],
  ending: [
    '(quiero|quisiera|kiero|voy a|pienso|pensando|decidido|decidí|necesito|debo|planeo|a punto|list[oa]|ganas|acabaré|terminaré) .. (acabar|terminar|poner fin|poner punto final|ponerle fin|acabarlo|ponerle final|terminarlo|apagar) .. (con todo|mi vida|la vida|con esto|mi existencia|sufrimiento|mis días|conmigo|todo esto|a todo|de una vez|para siempre|esta noche)(?! (la (tarea|partida|relación)|el (proyecto|juego)))',
    '(me voy|irme|me iré|dejar|dejo|dejaré|abandonar|abandono|abandonaré|adiós|despedirme|me despido|partir|salir|quiero irme) (ya |pronto |para siempre |por fin |mañana )*(de )?(este|esta|el|la) (puto |maldito |pinche |cruel |jodido |asqueroso )*(mundo|tierra|vida)(?! (de la (moda|noche)|del))',
    'me (voy a |quiero |quisiera |podría |pienso )+(matar|suicidar|colgar|ahorcar|quitar la vida|pegar un tiro|cortar las venas|tirar del|tirar al (tren|vacío|metro)|aventar (del|de|al)|envenenar|desvivir)(?! (de (risa|hambre)|trabajando|en el gimnasio|estudiando|la piscina|agua))',
    'me (mataré|suicido|suicidaré|colgaré|ahorco|ahorcaré|quito la vida|quitaré la vida|pego un tiro|pegaré un tiro|corto las venas|tiro (del puente|al vacío|por la ventana|a las vías)|tiraré (del|al|por)|desvivo)(?! (de (risa|hambre)|a trabajar|trabajando|en el gimnasio|estudiando|de la cama|a la piscina|al agua))',
    '(matarme|suicidarme|ahorcarme|colgarme|quitarme la vida|pegarme un tiro|ahogarme en|cortarme las venas|envenenarme|desvivirme|darme un tiro|desangrarme|quitarme de en medio|tirarme (del|de un|de la|al|a las|desde|por)|aventarme (del|de|al|a)|lanzarme (del|de|al|desde|por|bajo))(?! (trabajando|la piscina|agua|en paracaídas|de risa|al agua|estudiando))',
    '(pens*|idea|ideas|planeo|planeando|planear|imagin*|busco|buscando|busqué|googl*|fantase*|consider*|rond*|obsesion*|sueñ*) .. (acabar con todo|morir|morirme|suicidio|matarme|mi muerte|mi funeral|mi entierro|suicidarme|quitarme|métodos|sin dolor|no estar aquí|suicidas|cómo morir|desaparecer para siempre)',
    '(suicidio|morir|muerte|matarme|morirme) .. (única|único|última|mejor) .. (salida|solución|opción|cosa|forma|manera|opcion)',
    '(única|último|última|mejor|no hay otra|otra) .. (salida|solución|opción|forma|manera) .. (suicidio|morir*|muerte|matarme|irme para siempre)',
    '(esta vez|la próxima vez) .. (fallar*|logr*|consig*|sobreviv*|salv*|funcion*) .. (morir*|puente|pastillas|muert[oa])',
    '(hacerme daño|hacer una locura|hacer una tontería|desvivirme) .. (esta noche|hoy|definitiv*|para siempre|morir)',
  ],
  parting: [
    '(arreglad[oa]|orden|preparado|listo|testamento|arreglé|dejé todo|ordenado) .. (después de mi muerte|para cuando (muera|no esté|ya no)|antes de (morir*|irme|hacerlo|partir)|cuando (muera|ya no esté)|mi funeral|mi entierro)',
    '(últim[oa]s?) (mensaje|carta|palabras|vez|conversación|noche|navidad|cumpleaños|día|chat|despedida) .. (de mí|antes de (morir*|irme|hacerlo)|de mi vida|en la tierra|que (me lees|sabrás)|mío|que les escribo|que te escribo|con vida|viv[oa])',
    '(adiós|adios|hasta nunca) .. (mundo cruel|para siempre|a todos para|a la vida|a este mundo|definitiv*)(?! (ex|piojos))',
    '(escrib*|escrito|dej*|grab*|prepar*|redact*|terminé) .. (cartas? de despedida|nota de despedida|nota suicida|mensaje de despedida|última carta|video de despedida|cartas .. (cuando|muera|muert[oa]|después))',
    '(regal*|don*|vend*|repart*) .. (cosas|gato|perro|ropa|todo|libros|guitarra|juegos) .. (no las voy|no voy a necesitar*|no lo necesit*|no necesit*|no me hará*|donde voy|no lo usaré|ya no me|hacer falta)',
    '(cuiden|cuida|cuidar|perdon*|llor*|diles|dile|esparc*|entiérr*|entierren|olvid*|cremen|encárg*) .. (cuando|después de que|si|una vez que) (yo )?(ya no esté|no esté|muera|me muera|me haya ido|me vaya para siempre|esté muert[oa])',
    '(elegí|elegido|escogí|escogido|fijé|decidí|decidido|tengo|encontré|ya) .. (fecha|día|lugar|sitio|puente|método|forma|manera|cuándo) .. (morir*|matar*|acabar con|suicid*|tirarme|irme para siempre|hacerlo de una vez|quitarme|despedirme)',
    '(no) .. (veré|llegaré|llego|estaré viv[oa]|pasaré|celebraré|sobreviviré|viviré|creo que llegue|pienso llegar|llegar) .. (navidad|cumpleaños|año|verano|invierno|primavera|mañana|mes que viene|próximo mes|próxima semana|semana que viene|treinta|dieciocho|fin de)(?! (a la fiesta|a la oficina))',
  ],
  means: [
    `(frasco|bote|caja|puñado|todas|todos|bastantes|suficientes|demasiadas|montón|sobredosis|[0-9]+|tableta|blíster|reserva) .. ${PASTILLAS} .. (tom*|trag*|tod[oa]s|morir*|acabar|lado|frente|mano|esta noche|de golpe|juntas|encima|despertar)`,
    `${PASTILLAS} .. (lado|frente|mano|aquí|buró|mesita|listas|delante) .. (tom*|trag*|todas|acabar|ganas)`,
    `(tom*|trag*|guard*|junt*|escond*|acumul*|ingerir|ahorr*) .. (frasco|bote|caja|puñado|todas|todos|suficientes|demasiadas|montón|sobredosis|[0-9]+|blíster|muchas) .. (las |mis |los |de |estas )*${PASTILLAS}`,
    '(sobredosis) .. (tom*|quiero|voy|pens*|pastillas|insulina|esta noche|hacer|meter*|de)(?! (de )?(azúcar|café|chocolate|cafeína))',
    `(saltar|tirarme|lanzarme|me tiro|me lanzo|aventarme|dejarme caer|soltarme|arrojarme|brincar|me arrojo|me aviento|dar un paso) .. ${ALTURA}(?! (a la piscina))`,
    `(estoy|estuve|estaba|subí|subo|parad[oa]|sentad[oa]|asom*|miro|miraba|voy|fui|paso|cada vez que) .. ${ALTURA} .. (saltar|salto|tirarme|lanzarme|caer|soltarme|vacío|acabar|un paso|brincar|aventarme)`,
    '(qué|cuál|cual|que) (puente|edificio|azotea|tren|árbol|método|piso|acantilado) .. (será|saltar|tirarme|elegir|alto|colgarme|lanzarme)',
    '(planear|planeo|pens*|pienso|decid*|imagin*|escog*|elig*) .. (qué|cuál|desde qué|cual) (puente|edificio|azotea|tren|árbol|método)',
    '(tirarme|lanzarme|ponerme|acostarme|echarme|caminar|aventarme|me tiro|arrojarme|me lanzo|cruzarme) .. (a|al|bajo|frente|delante|en medio|sobre|debajo) .. (tren|metro|camión|coches|carro|carros|autos|vías|autobús|tráfico|autopista|carretera)',
    '(estrellarme|estrellar el (coche|carro|auto)|chocar|volantazo|me estrello|conducir|manejar) .. (contra|hacia|por) .. (árbol|muro|puente|camión|barranco|pared|poste)(?! (sin querer))',
    '(soga|cuerda|cinturón|lazo|cable) .. (cuello|armario|clóset|debajo de la cama|techo|lista|aguanta mi peso|esta noche|banco|silla|sótano|ahorcar*|viga)',
    '(compré|preparé|até|hice|conseguí|tengo) .. (soga|nudo de horca|nudo corredizo)',
    '(cortarme|abrirme|me corto|me abro|cortar) .. (las )?(venas|garganta|yugular)',
    '(pistola|escopeta|revólver|arma|bala|cañón) .. (en la boca|en la cabeza|en la sien|a la cabeza|en mi (boca|cabeza|sien))',
    '(cuánt[oa]s?|qué dosis|desde qué altura) ... (morir*|letal|mortal|matarme|no despertar|matarse|fatal)',
    'desangrarme',
  ],
  wounding: [
    '(pegarme|cortarme|hacerme daño|lastimarme|quemarme|golpearme|arañarme|morderme|castigarme|herirme|autolesionarme|rasguñarme) (es|me|ayuda|era|para|cuando|calma|otra vez|hace)',
    `(me) (he |ando |estoy |sigo |volví a |vuelvo a |hice |suelo |)*(corto|corté|cortado|cortando|quemo|quemé|quemado|araño|arañé|rasguño|rasguñé|muerdo|mordí|pego|golpeo|golpeé|lastimo|lastimé|hago daño|castigo|clavo|clavé|pellizco|abofeteo|autolesiono|autolesioné|hiero|cortar|pasé)( (el|la|los|las|en el|en la|en los|en las|mis)? ?${CUERPO})? (.. )?(cuando|para|porque|cada|desde que|otra vez|de nuevo|a propósito|hasta|de noche|por las noches|si|a escondidas|en secreto|anoche|siempre que|adrede)(?! (afeit*|cocin*))`,
    `${FILO} .. (en|por|contra|sobre|a) (el |la |los |las |mi |mis )*${CUERPO}`,
    `${CUERPO} .. (hasta sangrar|hasta que sangr*|a propósito|con (la|una|un|el) ${FILO})`,
    '(hice otra vez|lo hice de nuevo|volví a hacerlo|otra vez lo hice|recaí|lo volví a hacer|otra vez) .. (líneas|cortes|cicatrices|rayas|sangre|cuchilla|pierna|brazo|muslo|muñeca)',
    '(no como|dejé de comer|salto comidas|vomito|no comer|me mato de hambre|ayuno) .. (castig*|merezco|me odio|asco)',
    '(cabeza|puños|puño|mano) .. (contra|a) .. (pared|muro|puerta|suelo) .. (cuando|hasta|calm*|sangr*|para)',
    '(dolor|cuchilla|sangre|cortarme|sangrar|navaja|cortes) .. (único|única) .. (que|cosa|forma|manera)',
    '(lo único|única cosa|única forma|única manera) .. (cortarme|dolor|cuchilla|navaja|sangre|hacerme daño|pegarme|sangrar|lastimarme)',
  ],
  craving: [
    '(ganas|necesidad|impulso|impulsos|comezón|tentación|tentad[oa]|pide|piden|extraño|necesito|ansias|urge|resistir|dejar|parar|evitar|aguantar) .. (cortarme|de hacerme daño|la cuchilla|la navaja|mi navaja|mi cuchilla|sangrar|ver (mi )?sangre|quemarme|lastimarme|autolesion*|los cortes|el filo|cuchillas)(?! el (pelo|cabello|flequillo))',
    '(quiero|quisiera|necesito|ganas de) .. (sentir|ver) .. (cuchillo|cuchilla|navaja|mi sangre|quemadura|sangre correr|filo|la sangre|vidrio)(?! del dragón)',
    '(recaí|recaída|recaer|recayendo) .. (cort*|cuchilla|autolesi*|después de .. (días|meses|semanas|años)|navaja|anoche|hoy)',
    '(quiero|voy a|necesito|tengo que|quisiera|ganas de|kiero) (otra vez |solo |volver a |de verdad )*(hacerme daño|cortarme|quemarme|castigarme|lastimarme|golpearme|autolesionarme|rajarme)(?! (el (pelo|cabello|flequillo)|las uñas|las puntas))',
  ],
  traces: [
    `(nuev[oa]s?|seis|cinco|cuatro|tres|siete|frescos?|otr[oa]s|más|llen[oa] de|[0-9]+) .. (líneas|cortes|cicatrices|marcas|rayas|quemaduras) .. (en|por|sobre|a lo largo) .. ${CUERPO}`,
    '(vendas?|curitas|manga larga|mangas largas|sudadera|pulseras|escond*|tap*|ocult*|cubr*|tiritas) ... (cortes|cicatrices|marcas|muñecas|antebrazos|lo que me (hice|hago)|heridas)',
    `${CUERPO} .. (llen[oa]s?|cubiert[oa]s?) .. (cicatrices|cortes|quemaduras|marcas)`,
  ],
  elsewhere: [
    '(juego|partida|nivel|jefe|misión|película|novela|libro|episodio|temporada|capítulo|personaje|dragón|caballero|vampiro|zombies?|demonio|orco|elfo|minecraft|bungee|paracaídas|piscina|alberca|lago|trampolín|río|mar|tarea|dieta|azúcar|fumar|teléfono|celular|móvil|batería|impresora|receta|cebolla|cocina|cocinando|afeitándome|médico|doctor|dolor de cabeza|dentista|vitaminas|gato|rosas?|papel|gimnasio|maratón|sin querer|accidente|jaja*|jeje*|lol|xd|mi amigo|mi amiga|poema|canción|documental|(él|ella|alguien) (quiere|quería|amenaza*|dijo|intentó)|contrato|suscripción|reunión|discusión|relación)',
  ],
  overcome: [
    '(feliz|content[oa]|orgullos[oa]|agradecid[oa]|alegro|alegra) .. (viv[oa]|seguir aquí|estar aquí|sobrevivido)',
    '(llevo|hace) .. (años|meses) .. (sin cortarme|sin hacerme daño|limpi[oa]|que no me (corto|hago)|sin autolesion*)',
    '(antes|hace .. años|en el pasado|de adolescente|entonces) ... (hoy (estoy|amo|soy)|ahora (estoy (bien|mejor)|soy feliz|amo)|lo superé|superado|ya no|terapia me|quedó atrás|salí adelante|dejé de|gracias a dios)',
    '(lo superé|he superado|salí adelante|me recuperé)',
  ],
  again: [
    '(recaí|recaída|ganas|volvió|volvieron|vuelve|otra vez|de nuevo|esta noche|últimamente|ya no puedo|no aguanto|pero ahora|impuls*|ya no quiero)',
  ],
};

const EU =
  '(eu|quero|qro|queria|quisera|gostaria|gostava|prefiro|preferia|espero|desejo|peço|rezo|oro|me|se|só|deus|sonho|vontade|seria|melhor|mereço|tomara|quem me dera|sinceramente|imploro)';
const MORTO =
  '(mort[oa]|morrer|viv[oa]|existir|viver mais|acordar|despertar|acordasse|acorde|nascer|nascid[oa]|ter nascido|existido|sumir (para|pra) sempre|sumir do mapa|desaparecer (para|pra) sempre|desaparecer do mundo|dormir (para|pra) sempre|adormecer (e|para)|fechar os olhos (para|pra) sempre|parar de (existir|respirar|viver)|deixar de (existir|respirar|viver)|coração .. (pare|parasse)|debaixo da terra|no caixão|neste mundo|estar aqui)';
const VIVER =
  '(viver|a vida|vida|existir|existência|estar viv[oa]|ficar viv[oa]|estar aqui|continuar|continuar viv[oa]|seguir em frente|seguir vivendo|vivendo|a viver|respirar|acordar|levantar|me levantar|essa vida|esta vida|sobreviver|lutar|ficar aqui|ficar neste mundo|continuar assim)';
const OUTROS =
  '(todos|todas|todo mundo|toda a gente|o mundo|minha família|família|meus pais|mãe|pai|minha mãe|meu pai|meus filhos|filhos|meus amigos|amigos|eles|elas|os outros|as pessoas|vocês|meu marido|minha mulher|minha esposa|você|ninguém|a gente|minha filha|meu filho)';
const MELHOR =
  '(melhor|mais fácil|mais felizes|felizes|aliviad[oa]s?|alívio|mais simples|tranquil[oa]s?|livres?|bem|em paz|descansariam|contentes)';
const IDA =
  '(mort[oa]|morro|morrer|morresse|tiver morrido|sumir|sumo|sumisse|desaparecer|desaparecesse|desapareço|não (estiver|estivesse|existisse|existir|estou|estar)|existisse|nunca (tivesse|ter|nasci)|me matar|me matasse|for embora (para|pra) sempre|me for|já não (estiver|esteja)|partir|tiver ido|mais aqui)';
const COMPRIMIDOS =
  '(comprimidos|pílulas|remédios?|medicamentos|soníferos|calmantes|paracetamol|dipirona|insulina|água sanitária|antidepressivos|ansiolíticos|rivotril|cartelas?|pastilhas|tarja preta)';
const ALTO =
  '(ponte|terraço|telhado|varanda|sacada|janela|prédio|penhasco|andar|viaduto|parapeito|torre|falésia|cobertura|edifício|passarela)';
const CORPO =
  '(braços?|antebraços?|pulsos?|coxas?|pernas?|pele|barriga|mãos?|mão|veias|quadril|tornozelos?|ombros?|dedos)';
const LAMINA =
  '(lâminas?|giletes?|gilette|navalhas?|facas?|estilete|tesoura|isqueiro|cigarros?|vidro|agulha|compasso|apontador|bisturi|ferro de passar|bituca|x ato)';

export const PORTUGUESE_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${EU} .. (quero|qro|queria|quisera|gostaria de|gostava de|prefiro|preferia|preferiria|espero|desejo|peço|rezo|oro|imploro|sonho em|vontade de|melhor|mereço|tomara que|quem me dera|pudesse) (eu |já |não |nunca |só |que |me |poder |estar |ter |tivesse |estivesse |fosse |simplesmente |logo |a deus |deus |para |pra |a |ao |ficar |mais |amanhã |jamais |voltar a |dormir e )*${MORTO}(?! (de (rir|fome|sono|frio|vergonha|calor|velh[oa])|por (ti|você)|com você|contigo|cedo|tão cedo|nos teus|nos seus|aqui com|em paz com|na (cidade|praia)))`,
    '(peço|rezo|oro|espero|desejo|queria|imploro|torço) .. (não|nunca) .. (acordar|acorde|acordasse|despertar|abrir os olhos|amanhecer)(?! (cedo|tarde))',
    '(preferia|prefiro|preferiria|melhor|antes) .. (não estar viv[oa]|estar mort[oa]|não viver|não existir|não ter nascido|não acordar|não estar aqui)(?! (do que|que))',
    '(paz|pazes|aceitei|aceitado|conformad[oa]|pront[oa]|resignad[oa]|em paz) .. (ideia de morrer|de morrer|para morrer|pra morrer|minha morte|a morte|com a morte|a morrer)',
    '(morrer|a morte|estar mort[oa]|não existir|não acordar|suicídio) .. (parece|soa|seria|me dá|me atrai|é) .. (alívio|melhor|doce|paz|fácil|descanso|libertação|solução|bonito|bom|consolo|tranquil*)',
    '(quero|queria|preciso|qro) .. (tudo|dor|barulho|vozes|vida|sofrimento|pensamentos|isso|isto) .. (pare|acabe|termine|cesse|parasse|acabasse|se cale|parem|apague) .. (sempre|de vez|de uma vez|e não voltar|.)',
    '(não vejo a hora|mal posso esperar|conto os dias|esperando|anseio|à espera) .. (morrer|da morte|a morte|minha morte|estar mort[oa])',
    '(me deixem|deixem me|me deixa|deixa me) morrer(?! nos)',
  ],
  noMoreLife: [
    `(não|já|estou|tô|to|me|perdi|sem|cansei) .. (quero|qro|consigo|aguento|suporto|sei|faz sentido|tenho|vontade|forças|força|razão|razões|motivo|motivos|sentido|energia|coragem|cansei|cansad[oa]|fart[oa]|exaust[oa]|mereço|encontro|vejo|vale a pena|desejo|há|mais|quero mais|tem) (mais |nenhuma |nenhum |alguma |o |a |as |um |uma |de |para |pra |por |como |que |vontade |forças |força |razão |motivo |motivos |sentido |em |energia |coragem |tanto |dessa |desta |essa |esta |da |continuar |realmente |assim |já |seguir |com |nada |me |voltar a |ter que |)*${VIVER}(?! (sem|com você|contigo|com (ele|ela|meus|minha (mãe|sogra)|o meu|a minha)|na (cidade|praia|casa)|nesta (cidade|casa)|em (lisboa|casa|são)|cedo|o jogo|a partida|social|noturna|jogando|lendo|falando|trabalhando|estudando|discutindo|brigando|esperando|a (jogar|ler|falar|trabalhar|estudar|discutir)|de (solteir[oa]|estudante|luxo)|aqui com|às))`,
    '(para quê|pra que|para que|por que|porque|de que adianta|qual o sentido de|que sentido tem) .. (viver|vivo|continuar|continuo viv[oa]|continuo aqui|existir|existo|levantar|acordar|respirar|a vida|minha vida|estou viv[oa]|ainda estou aqui)(?! (jogando|a jogar|com (ele|ela)))',
    '(nada|ninguém|nenhum futuro|não há futuro|não tem futuro) .. (para mim|pra mim|me prende|me segura|me espera|me resta|por mim) .. (aqui|vida|mundo|depois|futuro|amanhã|mais|.)',
    '(para mim|pra mim) .. (não há|não tem|já não há|nada) .. (nada|futuro|amanhã|depois|saída)',
    '(não|já não) .. (aguento|suporto|consigo|resisto|sobreviv*|quero|chego|passo|dou|vou aguentar) .. (outro|um|mais|nem um|próximo|outra|uma|mais um|mais uma) .. (ano|dia|mês|noite|semana|inverno|verão|manhã)(?! (de folga|sem (café|te ver)))',
    '(vida|viver|existência|existir|cada dia|respirar|continuar viv[oa]) .. (fardo|tortura|inútil|insuportável|sem sentido|não faz (mais )?sentido|inferno|castigo|não vale|não é para mim|não é pra mim|dói demais|peso|não presta)(?! (sem (café|chocolate)))',
    '(cansad[oa]|fart[oa]|exaust[oa]|cansei|cheia|cheio|enjoei) .. (de viver|da vida|de existir|dessa vida|desta vida|de respirar|de estar viv[oa]|da minha vida|de acordar)(?! (em|com|na|no|cedo))',
    '(desisti|desisto|abri mão|desistir) .. (da vida|de viver|de tudo e)',
  ],
  burden: [
    `${OUTROS} .. (estaria*|estariam|estará*|estarão|seria*|seriam|serão|viveria*|viveriam|ficaria*|ficariam|ficarão|ficará|vai ficar|vão ficar|teria*|iam ficar|ia ficar) .. ${MELHOR} .. (sem mim|(se|quando|assim que|no dia em que|depois que) .. ${IDA})`,
    `(se|quando|assim que|no dia em que|depois que) (eu |já |só |simplesmente |não |me )*.. ${IDA} .. (melhor|mais fácil|felizes|aliviad*|tranquil*|ninguém|notar*|sentir*|chorar*|bem|livres|perceber*)`,
    '(sem mim) .. (melhor|mais fácil|mais felizes|aliviad*|tranquil*|livres|bonito)',
    `(ninguém|quem|alguém) .. (notar*|reparar*|perceber*|sentir*|chorar*|importar*|importa|ligar*|procurar*|enterro|funeral|triste|lembrar*|dar* falta|dar* conta|iria|ia) .. (se|quando|que) .. ${IDA}`,
    '(fardo|peso|estorvo) .. (todos|família|eles|vocês) .. (mort[oa]|morrer|sumir|desaparecer|melhor|não estar)',
    '(seguro|herança) .. (quando|depois|se) .. (morrer|morte|mort[oa]|já não)',
  ],
  ending: [
    '(quero|queria|qro|vou|penso|pensando|decidi|decidid[oa]|preciso|devo|planejo|a ponto|pront[oa]|vontade|pensar) .. (acabar|terminar|pôr fim|pôr um fim|dar um fim|dar fim|botar um fim|por fim|encerrar|apagar) .. (com tudo|a minha vida|minha vida|a vida|com isto|com isso|minha existência|sofrimento|meus dias|comigo|tudo isto|tudo isso|a tudo|em tudo|de vez|para sempre|esta noite|na minha vida)(?! (a (tarefa|partida)|o (projeto|jogo)))',
    '(vou embora|ir embora|vou deixar|deixar|deixo|abandonar|abandono|adeus|me despedir|despeço|partir|sair|vou sair|vou me) (já |logo |para sempre |pra sempre |finalmente |amanhã )*(a |de )?(deste|desta|desse|dessa|este|esta|esse|essa|do|da) (maldito |cruel |merda de |porra de )*(mundo|terra|vida)(?! (da|do|de))',
    '(eu )?(vou|quero|queria|ia|posso|decidi|pensando em|penso em|vontade de|tentei|prestes a|planejo) (hoje |logo |só |mesmo |de novo )*(me (matar|suicidar|enforcar|afogar|envenenar|jogar (da|do|de|na frente|debaixo)|atirar (da|do|de|para)|desviver|cortar os pulsos|dar um tiro|tacar da)|suicidar me|matar me|enforcar me|atirar me (da|de|do|para)|tirar a (minha )?(própria )?vida)(?! (de (rir|estudar|trabalhar)|na piscina|na cama|no sofá))',
    '(matar me|suicidar me|enforcar me|tirar minha (própria )?vida|tirar a minha (própria )?vida|cortar os pulsos|cortar meus pulsos|eu me mato|me enforco|me suicido|dar um tiro na cabeça|me jogar (da|do) (ponte|prédio|janela|viaduto))(?! (de (rir|estudar|trabalhar)|trabalhando|estudando))',
    '(pens*|ideia|ideias|planej*|imagin*|procur*|pesquis*|googl*|fantasi*|sonh*|consider*) .. (acabar com tudo|morrer|suicídio|me matar|matar me|minha morte|meu funeral|meu enterro|me suicidar|tirar a vida|métodos|sem dor|não estar aqui|suicidas|como morrer|sumir para sempre)',
    '(suicídio|morrer|morte|me matar) .. (única|único|última|melhor) .. (saída|solução|opção|coisa|forma|jeito|maneira)',
    '(única|único|última|melhor|não há outra|outra) .. (saída|solução|opção|forma|jeito|maneira) .. (suicídio|morrer|morte|me matar|ir embora (para|pra) sempre)',
    '(desta vez|dessa vez|da próxima vez) .. (falh*|consig*|sobreviv*|salv*|funcion*|dar certo|dá certo) .. (morrer|ponte|comprimidos|remédios|mort[oa])',
    '(fazer uma besteira|fazer uma loucura|fazer uma asneira) .. (hoje|esta noite|essa noite|comigo|morrer|agora)',
  ],
  parting: [
    '(arrumad[oa]|ordem|preparado|preparei|testamento|arrumei|organizei|deixei tudo|resolvido|organizado) .. (depois da minha morte|depois que eu (morrer|for)|antes de (morrer|ir|partir|me matar)|para quando (eu )?(morrer|não estiver)|quando eu (morrer|já não)|meu funeral|meu enterro)',
    '(últim[oa]s?) (mensagem|carta|palavras|vez|conversa|noite|natal|aniversário|dia|chat|despedida|recado) .. (de mim|antes de (morrer|partir|ir embora|fazer)|da minha vida|na terra|que (você me lê|vão ler)|minha|que vos escrevo|que te escrevo|com vida|viv[oa])',
    '(adeus|tchau) .. (mundo cruel|para sempre|pra sempre|à vida|a este mundo|definitiv*)(?! (ex|piolhos))',
    '(escrev*|escrito|deix*|grav*|prepar*|termin*|redig*) .. (cartas? de despedida|bilhete de despedida|carta de suicídio|mensagem de despedida|última carta|vídeo de despedida|cartas .. (quando|morrer|mort[oa]|depois))',
    '(dei|dou|dar|doei|doar|doando|vendi|vender|distribuí|dando) .. (coisas|gato|cachorro|cão|roupas?|tudo|livros|violão|jogos) .. (não vou precisar|não preciso|onde vou|não vou usar|mais precisar|não me (vai|vão))',
    '(cuid*|perdo*|chor*|digam|diga|espalh*|enterr*|esqueç*|crem*|tom* conta) .. (quando|depois que|se|assim que) (eu )?(não estiver|já não estiver|morrer|me for|tiver ido|estiver mort[oa]|partir)',
    '(escolhi|escolhido|marquei|decidi|tenho|encontrei|já) .. (data|dia|lugar|local|ponte|método|forma|jeito|quando) .. (morrer|me matar|acabar com|suicid*|pular|partir de vez|fazer de vez|tirar a)',
    '(não) .. (vou ver|chegarei|chego|estarei viv[oa]|vou passar|vou chegar|verei|sobreviverei|viverei|pretendo chegar|estar viv[oa]|acho que chego) .. (natal|aniversário|ano|verão|inverno|primavera|amanhã|mês que vem|próximo mês|semana que vem|próxima semana|trinta|dezoito|fim do)(?! (à festa|no escritório))',
  ],
  means: [
    `(frasco|caixa|punhado|todos|todas|bastante|suficientes?|demais|monte|overdose|[0-9]+|cartela|estoque|cartelas|vidro) .. ${COMPRIMIDOS} .. (tom*|engol*|tod[oa]s|morrer|acabar|lado|frente|mão|esta noite|hoje|de uma vez|juntos|acordar)`,
    `${COMPRIMIDOS} .. (lado|frente|mão|aqui|criado mudo|mesinha|prontos) .. (tom*|engol*|todos|acabar|vontade)`,
    `(tom*|engol*|guard*|junt*|escond*|acumul*) .. (frasco|caixa|punhado|todos|todas|suficientes?|monte|overdose|[0-9]+|cartela|muitos|demais) .. (os |meus |as |de |esses |estes )*${COMPRIMIDOS}`,
    '(overdose) .. (tom*|quero|vou|pens*|remédios|comprimidos|insulina|hoje|ter|fazer|de)(?! (de )?(açúcar|café|chocolate|cafeína))',
    `(pular|saltar|me jogar|jogar me|me atirar|atirar me|me soltar|me lançar|me jogo|deixar me cair|me deixar cair|dar um passo|pulei) .. ${ALTO}(?! (na piscina))`,
    `(estou|estive|estava|subi|subo|parad[oa]|sentad[oa]|olho|olhava|vou|fui|passo|fico|em cima|na beira|no alto) .. ${ALTO} .. (pular|pulo|saltar|me jogar|cair|me soltar|vazio|acabar|um passo|me atirar)`,
    '(qual|que) (ponte|prédio|telhado|trem|comboio|árvore|método|andar|penhasco) .. (será|vai ser|pular|saltar|escolher|alto|me enforcar|me jogar)',
    '(planej*|pens*|decid*|imagin*|escolh*) .. (de qual|de que|qual|que) (ponte|prédio|telhado|trem|árvore|método)',
    '(me jogar|jogar me|me atirar|atirar me|deitar|me deitar|andar|pular|me jogo|entrar) .. (na frente|debaixo|em frente|nos|nas|para baixo|para debaixo|no meio) .. (trem|comboio|metrô|metro|caminhão|camião|carros?|trilhos|linhas|ônibus|autocarro|trânsito|estrada)',
    '(bater o carro|jogar o carro|dirigir|acelerar|conduzir|me espatifar|atirar o carro) .. (contra|para|de|em|na|no) .. (árvore|muro|ponte|caminhão|camião|penhasco|poste|ribanceira)',
    '(corda|cinto|laço|cabo) .. (pescoço|armário|guarda roupa|debaixo da cama|teto|pronta|aguenta meu peso|esta noite|banco|cadeira|porão|enforcar|viga)',
    '(comprei|preparei|amarrei|fiz|arranjei) .. (corda|forca|nó de forca)( .. (pescoço|enforcar|morrer|me|teto|armário))',
    '(cortar|abrir|corto|abro) .. (os |meus )*(pulsos|veias|garganta)',
    '(arma|pistola|revólver|espingarda|bala|cano) .. (na boca|na cabeça|na têmpora|na minha (boca|cabeça))',
    '(quant[oa]s?|que dose|qual dose|de que altura) ... (morrer|letal|mortal|me matar|não acordar|fatal)',
    '(sangrar até morrer|me esvair em sangue)',
  ],
  wounding: [
    '(me (bater|cortar|machucar|queimar|arranhar|morder|castigar|ferir|punir|mutilar)|cortar me|magoar me|bater me|queimar me|magoar a mim mesm[oa]|arranhar me) (é|me|ajuda|era|para|pra|quando|acalma|de novo|alivia|faz)',
    `(eu )?(me|mim) (tenho |ando |estou |fico |voltei a |costumo |)*(corto|cortei|cortado|cortando|queimo|queimei|queimado|arranho|arranhei|mordo|mordi|bato|soco|machuco|machuquei|castigo|firo|feri|furo|furei|belisco|mutilo|mutilei|esmurro|corta|puno)( (o|a|os|as|no|na|nos|nas|meu|minha)? ?${CORPO})? (.. )?(quando|para|pra|porque|cada|desde que|de novo|outra vez|de propósito|até|de noite|à noite|com|se|escondid[oa]|em segredo|ontem|sempre que)(?! (barbe*|cozinh*))`,
    `(corto me|cortei me|queimo me|queimei me|arranho me|magoo me|mordo me|firo me|mordo o braço|mordi o braço|arranho o braço) (.. )?(quando|para|porque|de novo|outra vez|até|com|sempre|todas|de propósito)`,
    `${LAMINA} .. (no|na|nos|nas|contra|sobre|pelo|pela) (meu |minha |meus |minhas |o |a )*${CORPO}`,
    `${CORPO} .. (até sangrar|até sair sangue|de propósito|com (a|uma|um|o) ${LAMINA})`,
    '(fiz de novo|fiz outra vez|voltei a fazer|recaí|aconteceu de novo|de novo) .. (linhas|cortes|cicatrizes|riscos|sangue|lâmina|gilete|perna|braço|coxa|pulso)',
    '(não como|parei de comer|pulo refeições|vomito|não comer|passo fome|deixo de comer|salto refeições) .. (punir|castig*|mereço|me odeio|nojo)',
    '(cabeça|punhos|mão|soco) .. (contra|na|no|a) .. (parede|muro|porta|chão) .. (quando|até|acalm*|sangr*|para|pra)',
    '(dor|lâmina|gilete|sangue|me cortar|sangrar|cortes) .. (única|único) .. (que|coisa|forma|jeito)',
    '(única coisa|único jeito|única forma|única maneira) .. (me cortar|cortar me|dor|lâmina|gilete|sangue|me machucar|me bater|sangrar|magoar)',
  ],
  craving: [
    '(vontade|necessidade|impulso|impulsos|coceira|tentação|tentad[oa]|pede|pedem|saudade|preciso|falta|ânsia|coça|resistir|parar|deixar|evitar|aguentar) .. (me cortar|cortar me|de me machucar|me machucar|a lâmina|da lâmina|a gilete|da gilete|minha lâmina|sangrar|ver (meu )?sangue|me queimar|magoar me|autolesão|automutil*|os cortes|dos cortes|lâmina|me ferir)(?! o (cabelo))',
    '(quero|queria|preciso|vontade de|qro) .. (sentir|ver) .. (faca|lâmina|gilete|meu sangue|queimadura|sangue escorrer|o sangue|vidro)(?! do dragão)',
    '(recaí|recaída|recair|tive uma recaída) .. (cort*|lâmina|gilete|automutil*|depois de .. (dias|meses|semanas|anos)|ontem|hoje|autolesão)',
    '(quero|vou|preciso|tenho que|queria|vontade de|qro) (de novo |só |voltar a |mesmo )*(me (machucar|cortar|queimar|castigar|ferir|bater|punir|mutilar)|magoar me|cortar me|ferir me)(?! (o cabelo|as unhas|a franja))',
  ],
  traces: [
    `(nov[oa]s?|seis|cinco|quatro|três|sete|fresc[oa]s|mais|outr[oa]s|chei[oa] de|[0-9]+) .. (linhas|cortes|cicatrizes|marcas|riscos|queimaduras) .. (na|no|nas|nos|pela|pelo|em) .. ${CORPO}`,
    '(ataduras?|curativos?|manga comprida|mangas compridas|mangas longas|moletom|pulseiras|escond*|tap*|cobr*|faixas|ligaduras|pensos) ... (cortes|cicatrizes|marcas|pulsos|antebraços|o que (fiz|faço) comigo|feridas)',
    `${CORPO} .. (chei[oa]s?|cobert[oa]s?) .. (cicatrizes|cortes|queimaduras|marcas)`,
  ],
  elsewhere: [
    '(jogo|partida|nível|fase|chefe|missão|filme|romance|livro|episódio|temporada|capítulo|personagem|dragão|cavaleiro|vampiro|zumbis?|demônio|orc|elfo|minecraft|bungee|paraquedas|piscina|lago|trampolim|rio|mar|dever|dieta|açúcar|fumar|telefone|celular|telemóvel|bateria|impressora|receita|cebola|cozinha|cozinhando|barbeando|médico|dor de cabeça|dentista|vitaminas|gato|rosas?|papel|academia|maratona|sem querer|acidente|kkk*|haha*|rsrs|lol|meu amigo|minha amiga|poema|música|documentário|(ele|ela|alguém) (quer|queria|ameaç*|disse|tentou)|contrato|assinatura|reunião|discussão|relação|namoro)',
  ],
  overcome: [
    '(feliz|content[oa]|orgulhos[oa]|grat[oa]|agradecid[oa]|alegro) .. (viv[oa]|ainda estar aqui|estar aqui|sobrevivido)',
    '(estou|há|faz) .. (anos|meses) .. (sem me cortar|sem me machucar|limp[oa]|que não me (corto|machuco)|sem cortes)',
    '(antes|há .. anos|anos atrás|no passado|na adolescência|naquela época) ... (hoje (estou|amo|sou)|agora (estou (bem|melhor)|sou feliz|amo)|superei|superado|já não|não mais|terapia me|ficou para trás|parei de|graças a deus)',
    '(já superei|superei isso|me recuperei)',
  ],
  again: [
    '(recaí|recaída|vontade|voltou|voltaram|de novo|outra vez|esta noite|ultimamente|não aguento|mas agora|impuls*|não quero mais)',
  ],
};
