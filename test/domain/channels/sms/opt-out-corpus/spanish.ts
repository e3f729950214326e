import type { Corpus } from './corpus.js';

export const spanish: Corpus = {
  sayings: `
Dejen de enviarme mensajes
deja de escribirme
Por favor dejen de mandarme mensajes
Paren de enviarme mensajes
No me envíen más mensajes
no me manden mas mensajes por favor
No me escriban más
No me llamen más
no me llames nunca más
No me contacten
No me vuelvan a contactar
No quiero recibir más mensajes
Ya no quiero sus mensajes
No quiero que me escriban
No deseo recibir sus mensajes
no quiero mas sms
No me interesa recibir sus mensajes
Quiero darme de baja
denme de baja por favor
Dar de baja
Bórrenme de su lista
Eliminen mi número
quiten mi numero de su lista
Sáquenme de la lista
Por favor borren mis datos
Cancelen mi suscripción
Quiero cancelar los mensajes
Déjenme en paz
dejame tranquila
No más mensajes
no mas mensajes gracias
Basta de mensajes
Basta ya de mensajes
¿Pueden dejar de enviarme mensajes?
¿Podrían dejar de escribirme?
Retiro mi consentimiento
Revoco mi autorización
Olviden mi número
Desuscríbanme
paren por favor
Paren ya
Dejen de llamarme
Dejen de molestarme
Número equivocado
Tiene el número equivocado
¿Cómo me doy de baja?
¿Cómo dejo de recibir estos mensajes?
Estoy harto de sus mensajes
Voy a bloquear este número
Nunca me suscribí a esto
Ya basta
Favor de no enviar más mensajes
Les pido que no me escriban más
Les pido que dejen de llamarme
No quiero que me manden mensajes
No quiero seguir recibiendo mensajes
Quítenme de su lista por favor
Me quiero dar de baja
Ya no me manden mensajes
ya no me escriban
Ya no quiero recibir nada de ustedes
Deténganse con los mensajes
Solicito la baja del servicio
no envien mas
ya no me manden mensajes
Deje de escribirme por favor
no quiero recibir mas sms
quítenme de la lista
Saquenme de su lista!!
borren mi numero
dar de baja
Quiero darme de baja. Gracias, Carmen
como me doy de baja?
déjenme en paz 😡
basta de mensajes
no me escriban más
xfa no me manden + mensajes
número equivocado, dejen de molestar
paren de mandarme esto
no molesten mas
Le ruego que no me vuelva a contactar
no deseo que me contacten más
cancelar suscripcion
ya estuvo bueno con los mensajitos, parenle
no me interesa, bórrenme
retiro mi consentimiento para recibir mensajes
dejá de mandarme sms
Ya no quiero que me estén mandando esto
anulen el envío de mensajes`,
  nearMisses: `
No dejen de enviarme recordatorios
No dejes de escribirme
¿Puedo dejar el tratamiento?
¿Cuándo puedo dejar las pastillas?
No paro de toser
No puedo dejar de reír
Dejé de fumar
El sangrado no para
¿Cómo paro el dolor?
¿Por qué ya no me envían mensajes?
¿Por qué dejaron de escribirme?
No he recibido mensajes
No recibo mensajes
No me llegó ningún mensaje
No quiero perderme sus mensajes
No quiero molestar
Quiero cancelar mi cita
Cancelen la cita de mañana
Sáquenme de la lista de espera
¿Cuándo me quitan los puntos?
Deje un mensaje
Dejé un mensaje ayer
No me dejen sola
Mándenme un mensaje cuando esté listo
Llámenme mañana
Escríbanme cuando puedan
No olviden llamarme
No olviden mi cita
No más dolor
ya no tengo fiebre
No gracias
Mi ex no deja de llamarme
Mi vecino no me deja en paz
Ella no quiere pastillas
Envíenme más mensajes
Quiero más información
Quiero recibir recordatorios
Gracias por su mensaje
Paro en la farmacia primero
¿Dónde está la parada del bus?
Estoy de baja médica
Se me acabó la medicina
¿Debo dejar la dieta?
Dejo de trabajar a las cinco
No sé todavía
No entiendo el mensaje
No quiero la operación
Él dejó de beber
Ustedes nunca me llaman
Necesito la baja laboral
Mensaje para mi doctor
Quiero dejar el tratamiento
No me esperen
No envíen la factura a mi esposa
Eliminen la segunda cita
No quiero ir
No quiero esa medicina
Déjenme pensarlo
Sáquenme sangre mañana
Ya no puedo caminar
No más preguntas
Para mañana está bien
no me pares el tratamiento
no pares, me ayuda mucho
¿puede pasar a las 5?
dejé de tomar las pastillas ayer
¿tengo que dejar el tratamiento?
no gracias
No gracias, el martes no puedo
quiero cancelar la cita del viernes
cancelen lo de mañana por favor
no me llegó el mensaje, mándenlo otra vez
no me llamen antes de las 9
no para de dolerme
¿pueden parar el dolor?
¿en qué parada me bajo?
ya no tengo dolor 😊
no quiero parar
borren la segunda cita
ya no quiero tomar más pastillas
dejé de fumar hace tres días!
no manden más la carta a la casa vieja
estoy de baja por enfermedad
el médico me dio de baja hasta el lunes
el bebé no me deja en paz por la noche`,
};
