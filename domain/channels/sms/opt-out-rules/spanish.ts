import { type OptOutRules, patterns } from './rules.js';

const lists = {
  msg: 'mensajes?|sms|textos?|mensajitos|correos?|mails?|e ?mails?|boletin(?:es)?|notificacion(?:es)?|avisos?|recordatorios|alertas?|publicidad|propaganda|spam|llamadas?|promociones|mensajeria|comunicaciones|whatsapps?|informacion de ustedes',
  inf: 'enviarme|mandarme|escribirme|llamarme|molestarme|contactarme|enviar|mandar|escribir|llamar|molestar|contactar|textearme|hablarme|acosarme|bombardearme|spamearme|enviarnos|mandarnos|llamarnos|escribirnos|fastidiar|fastidiarme|marcarme|buscarme|mensajearme',
  imp: 'envien|envie|envies|enviais|enviad|manden|mande|mandes|escriban|escriba|escribas|llamen|llame|llames|contacten|contacte|contactes|molesten|moleste|molestes|texteen|texteen|marquen|marque|busquen|hablen|hable|acosen|fastidien|mandeis|envieis|llameis|escribais|molesteis|remitan|spameen|mensajeen|contacteis|(?:esten|sigan|siga|sigas) (?:enviando|mandando|escribiendo|llamando|molestando)',
};

export const spanish: OptOutRules = {
  says: patterns(
    lists,
    String.raw`(?:^|\b(?:por favor|favor|que|y|quiero|ya|porfa|pido|solicito|podrian|podria|pueden|puede|puedes|podrias|ruego|exijo|ustedes|basta|hola|gracias|de)) ?\b(?:dejen|deje|deja|dejad|dejar|paren|pare|para|parar|parad|cesen|cesar|eviten|evite)(?: (?:ya|por favor|porfavor|porfa|inmediatamente|porfis))*(?: de)?(?: (?:una vez|ya))* (?:{inf})\b`,
    String.raw`(?:^|\b(?:por favor|favor|que|y|ya|pero|porfa|porfavor|gracias|hola|entonces|nunca|quiero que)) ?(?:no|nunca|jamas) (?:me|nos|vuelvan a|vuelva a|vuelvas a|me vuelvan a|me vuelva a)(?: (?:me|nos|vuelvan a|vuelva a))* ?(?:{imp}|{inf})\b`,
    String.raw`(?:^|\b(?:por favor|favor|y|ya|pero|porfa|porfavor|hola)) ?(?:no|nunca|jamas) (?:{imp}) (?:mas|nunca|nada|(?:{msg}))(?: (?:mas|a este numero|a mi numero|aqui|nada|{msg}))*`,
    String.raw`\b(?:ya )?(?:no|nunca|tampoco) (?:quiero|quisiera|queremos|deseo|deseamos|necesito|me interesa|acepto|autorizo|me interesan|consiento|quisiera)(?: (?:mas|ya|seguir|volver a|recibir|recibiendo|tener|que|me|nos|sus|tus|estos|esos|ningun|ninguna|los|las|leer|ver|ser|nada|de|ustedes|de ustedes|ni|a|otros|otro|la|mis|el|envio|este|tipo|vuestros|ningunos))* ?(?:{msg}|{imp}|{inf}|contactad[oa]|molestad[oa]|saber (?:nada )?de ustedes|ser contactad[oa]|llamen|escriban|envien|contacten)\b`,
    String.raw`\b(?:quiero|quisiera|deseo|me gustaria|necesito|solicito|pido|queremos)(?: (?:ya|que|dejar de|parar de))* ?(?:dejar de|parar de|parar|detener|cancelar|anular|suspender|no|eliminar)(?: (?:recibir|de|los|las|sus|estos|esos|me|envien|mas|el|envio|la|mi|que|todos))* (?:{msg}|suscripcion)\b`,
    String.raw`^(?:(?:por favor|porfa|porfavor|gracias|ya|quiero|hola|y|ok) )*(?:no mas|basta(?: ya)?(?: de| con)?(?: los| tantos)?|ni un|ni un solo|ningun|ya no mas|nada de|no)(?: (?:de|mas|los|sus|tantos|con|estos|esos|otro|solo|tus))* (?:{msg})\b`,
    String.raw`\b(?:borren|borre|borra|borrar|borrad|eliminen|elimine|elimina|eliminar|quiten|quite|quita|quitar|saquen|saque|saca|sacar|retiren|retire|retira|olviden|olvida|olvide|supriman|suprima|remuevan)(?:me|nos)?(?: (?:por favor|ya|a mi|inmediatamente))* (?:mi (?:numero|telefono|nombre|celular|correo|movil|contacto|email)|mis (?:datos|contactos)|este numero|de (?:la|su|sus|esta|esa|tu|vuestra|las|todas) (?:lista|listas|base|agenda|sistema|registro|registros|grupo))\b`,
    String.raw`\b(?:borrenme|eliminenme|borrame|eliminame|borreme|elimineme|desuscrib\w+|desubscrib\w+|desinscrib\w+|desapunt\w+|borradme|quitadme|desafilienme)\b`,
    String.raw`\b(?:dar|darme|darnos|denme|deme|dame|den|de|doy|dadme|dan)(?: (?:me|por favor|ya|mi|numero))* ?(?:me )?de baja\b|\bbaja (?:del|de la|de los|de las|de este|de esta|por favor|inmediata)? ?(?:servicio|lista|sms|mensajes|suscripcion|avisos|notificaciones|boletin)\b|\b(?:quiero|solicito|pido|deseo|tramitar) (?:la |mi )?baja\b`,
    String.raw`\b(?:cancelar|cancelen|cancele|cancela|anular|anulen|anule|terminar|suspendan|suspender|detengan|detener|desactiven|desactivar|desactiva|desactive|cancelo|detenga|suspenda|detenganse)(?: (?:mi|la|el|los|las|sus|estos|esta|todos|por favor|ya|envio|de|envios|tus))* (?:suscripcion(?:es)?|{msg}|servicio de (?:mensajes|sms)|suscripciones)\b`,
    String.raw`\b(?:dejenme|dejame|dejeme|dejadme|dejennos)(?: (?:ya|por favor))* (?:en paz|tranquil[oa]|vivir)\b`,
    String.raw`\b(?:retiro|revoco|cancelo|anulo)(?: (?:por la presente))* mi (?:consentimiento|autorizacion|permiso)\b`,
    '^(?:(?:por favor|porfa|porfavor|ya|pueden|puede|hola|gracias) )*(?:paren|pare|parar|para|basta|detenganse|alto|stop|dejen|parenle|parele|parad)(?: (?:ya|por favor|porfavor|porfa|con esto|gracias|de una vez|todo|inmediatamente|de una|favor|con eso|esto))*$',
    String.raw`\b(?:me opongo a|prohibo|rechazo)(?: (?:que|recibir|el|los|sus|mas|me|cualquier|todo|tipo de))* ?(?:{msg}|{imp}|contacto|envio)\b`,
  ),
  hints: patterns(
    lists,
    String.raw`\bnumero equivocado\b|\bequivocad[oa]s? de (?:numero|persona)\b|\bse (?:equivocan?|equivocaron)\b`,
    '^(?:(?:ya|pues|que) )*(?:basta|suficiente|es suficiente|ya estuvo|ya estuvo bueno|spam|largo|no mas|nada mas|larguense|no molesten|vayanse|ni uno mas|me tienen hart[oa])(?: (?:ya|gracias|por favor))*$',
    String.raw`\bcomo\b(?: \w+){0,4}? (?:de baja|desuscrib\w*|desapunt\w*)\b`,
    String.raw`\bcomo\b(?: \w+){0,4}? (?:cancelo|cancelar|dejo de|dejar de|paro|parar|detengo|desactivo|desactivar|anulo|anular|quito|quitarme|salir|salgo)\b(?: \w+){0,4}? (?:{msg}|suscripcion|lista)\b`,
    String.raw`\b(?:hart[oa]|cansad[oa]|demasiados|muchos|tantos|aburrid[oa]|estuvo bueno)\b(?: \w+){0,3}? ?(?:{msg})\b`,
    String.raw`\b(?:bloqueo|bloquear|denuncio|denunciar|reporto|reportar|bloqueare|denunciare)\b(?: \w+){0,2}? ?(?:numero|los|spam|este|ustedes)\b`,
    String.raw`\b(?:nunca|no|jamas)(?: \w+)? (?:me suscribi|di mi consentimiento|pedi|solicite|autorice|me registre|acepte)\b`,
  ),
  never: patterns(
    lists,
    String.raw`\b(?:no|nunca|jamas)(?: (?:me|nos|quiero|quisiera|por favor|que|deseo|puedo|puede|pude|hay que|se|debo|vayan a|quiero que))* (?:dejen?|deja|dejes|dejar|dejo|dejan|dejeis|paren?|para|pares|parar|paro|paran|cancelen?|cancelar|cesen?|cesar|borren?|eliminen?|quiten|saquen|desuscri\w*|den de baja|darme de baja|den baja|dejen)\b(?! (?:recibir )?(?:ni|mas))`,
    // Something else is not to be sent: "no manden más la carta".
    String.raw`\bno (?:me |nos )?(?:{imp}) mas (?:la|el|las|los|un|una) (?!(?:\w+ )?(?:{msg})\b)`,
    String.raw`\bno (?:quiero|quisiera|deseo) (?:perder|perderme|molestar|faltar|olvidar|dejar|interrumpir|causar)\b`,
    String.raw`\b(?:por que|porque|cuando|desde que|si) (?:me |nos |ya )*(?:dejaron|dejo|pararon|cancelaron|dieron)\b`,
    String.raw`\b(?:por que|porque) (?:ya )?no (?:me|nos)\b`,
    String.raw`\b(?:ustedes|usted|nadie|ellos|el|ella|tu|ya|todavia|aun) (?:ya |casi |todavia |aun )?(?:no|nunca) (?:me|nos) (?:llaman?|escriben?|envian?|mandan?|contactan?|responden?|llamas|escribes|mandas|contestan?|han|ha|llamo|llamaron|enviaron|escribio)\b`,
    String.raw`\bno (?:me |nos )(?:llego|llegan?|llegaron|han|ha|llamo|llamaron|envio|enviaron|mandaron|mando|escribio|aparece|deja|dejan|funciona|llegado|sale|contestan|responden)\b`,
    String.raw`\b(?:no|ya no) (?:recibo|recibi|recibimos|he recibido|tengo|hay|veo|tuve|tenia|he visto|encuentro|entiendo)\b`,
    String.raw`\b(?:dejar|dejo|deja|cancelar|cancelo|cancelen|quitar|quiten\w*|eliminar|saquen\w*|sacar\w*|parar|anular|baja|quitarme|borren|desuscrib\w*|retiren|retirar)\b.*\b(?:medicamentos?|pastillas?|tratamiento|cita|fumar|lista de espera|clase|puntos|yeso|medicina|antibioticos?|dosis|sangrado|dolor|gimnasio|medica|laboral|por enfermedad|por maternidad|seguro|muela|curso|incapacidad|revista|periodico|seguridad social)\b`,
    String.raw`\b(?:dile|diganle|le dije|le pedi|decirle|pedirle|digale|les dije|pidele)(?: a \w+(?: \w+)?)? que (?:no|deje|pare|dejara|parara|me deje)\b`,
    String.raw`\b(?:mi ex|mi esposo|mi esposa|mi vecino|mi jefe|mi marido|mi mujer|el perro|un hombre)\b(?: \w+){0,2} no (?:deja|para|me deja)\b`,
    String.raw`\bno (?:me|nos) (?:dejen?|dejes|deja) (?:sol[oa]|en)\b`,
    String.raw`\b(?:no|sin) mensajes?(?: (?:nuevos|hoy|todavia|ayer|recibidos|aun|del|en|desde|por ahora))`,
    String.raw`\bpara (?:dar\w*|cancelar|darse|desuscrib\w*)(?: de baja)?(?: \w+){0,4}? (?:haga|pulse|responda|envie|visite|haz|entra|clic)\b`,
    String.raw`\b(?:parada|baja california|planta baja|la baja de precio|presion baja|voz baja|baja presion)\b`,
  ),
  doubts: patterns(
    lists,
    String.raw`\b(?:antes|despues|por la (?:noche|manana|tarde)|de noche|en la noche|hoy|manana|ahora no|ahorita|cuando|si estoy|si no|hasta|mientras|durante|los (?:domingos|sabados|lunes|viernes|fines)|el fin|fines de semana|sino|mejor|en lugar|en vez|tan (?:seguido|temprano|tarde)|tantas veces|sobre (?:el|la|los)|acerca|respecto|por (?:correo postal|carta|fax)|en el trabajo|trabajo|esta semana|a esta hora|a las|en horario|salvo|excepto|solo|entre|dobles?|duplicados|repetidos|dos veces|los mismos|en ingles|en espanol|fijo|mi madre|mi padre|mi esposo|mi marido|mi mujer|reunion|muy temprano|muy tarde|pero (?:llamenme|escribanme|envienme))\b`,
    String.raw`\b(?:consentimiento|autorizacion|permiso) (?:para|a) (?!(?:la |el |los |recibir |que |me |sus |cualquier )*(?:{msg}|contact|envi|recib|llam|comunic|mensaj))\w`,
    String.raw`\b(?:como|que pasa|que|puedo|debo|tengo que|quien|donde|tal vez|quizas?)\b(?= (?:hago|pasa|dejar|cancelar|darme|parar|hay|dejo|sucede))`,
  ),
  both: [
    /\b(?:dejen|deje|dejar|dejad|deja|paren|pare|parar|basta|alto|deten\w*|ya no|no mas|no (?:quiero|deseo)|no (?:enviar|mandar|llamar|escribir|contactar|enviarme|mandarme|molestar)|cese\w*|suspend\w*|cancel\w*|de baja)\b/u,
    /\b(?:mensajes|sms|textos|notificaciones|publicidad|propaganda|spam|boletin\w*|contactarme|escribirme|llamarme|enviarme|mandarme|molestarme|recibir nada|nada de ustedes|su lista|sus listas)\b/u,
  ],
  requests: /\b(?:pueden?|puedes|podrian?|podrias|podeis|quieren|quieres)\b|\bpor ?fa\w*\b/u,
};
